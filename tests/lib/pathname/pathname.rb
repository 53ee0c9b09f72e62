# Pathname: text of paths; values are CRuby's


Pathname.new("a") + "b" # => #<Pathname:a/b>
Pathname.new("a/b") + "../c" # => #<Pathname:a/c>
Pathname.new("a/.") + "./b/" # => #<Pathname:a/b/>
Pathname.new("/") + "../a" # => #<Pathname:/a>
Pathname.new("a") / "/b" # => #<Pathname:/b>
Pathname.new("../a") + ".." # => #<Pathname:..>
Pathname.new("..") + ".." # => #<Pathname:../..>
Pathname.new("a").join("b", "../c") # => #<Pathname:a/c>
Pathname.new("a").join("/b", "c") # => #<Pathname:/b/c>
Pathname.new("a//b/../c/.").cleanpath # => #<Pathname:a/c>
Pathname.new("a//b/../c/.").cleanpath(true) # => #<Pathname:a/b/../c/.>
Pathname.new("/../a").cleanpath # => #<Pathname:/a>
Pathname.new("").cleanpath # => #<Pathname:.>
Pathname.new("/usr/local").parent # => #<Pathname:/usr>
Pathname.new("/").parent # => #<Pathname:/>
Pathname.new("a").parent # => #<Pathname:.>
Pathname.new("/a/b").relative_path_from(Pathname.new("/a/c/d")) # => #<Pathname:../../b>
Pathname.new("a").relative_path_from("a") # => #<Pathname:.>
Pathname.new("/a").relative_path_from("b") # raises ArgumentError: different prefix: "/" and "b"
Pathname.new("a").relative_path_from("..") # raises ArgumentError: base_directory has ..: ".."
Pathname.new("/a/b/c").each_filename.to_a # => ["a", "b", "c"]
Pathname.new("/a/b").ascend.map(&:to_s) # => ["/a/b", "/a", "/"]
Pathname.new("a/b/").descend.map(&:to_s) # => ["a", "a/b/"]
Pathname.new("a.rb").sub_ext(".c") # => #<Pathname:a.c>
Pathname.new("a.tar.gz").sub("a", "b") # => #<Pathname:b.tar.gz>
Pathname.new("a").sub(/a/) { |m| m.upcase } # => #<Pathname:A>
Pathname.new("/a").absolute? # => true
Pathname.new("a").relative? # => true
Pathname.new("//").root? # => true
Pathname.new("a") <=> Pathname.new("a/b") # => -1
Pathname.new("a.b") <=> Pathname.new("a/b") # => 1
Pathname.new("a") <=> "a" # => nil
Pathname.new("a") == Pathname.new("a") # => true
Pathname.new("a").eql?("a") # => false
{ Pathname.new("a") => 1 }[Pathname.new("a")] # => 1
Pathname.new("a\0b") # raises ArgumentError: pathname contains null byte
Pathname("x") # => #<Pathname:x>
Pathname(Pathname("x")) # => #<Pathname:x>
Pathname.new("x/y.rb").basename(".rb") # => #<Pathname:y>
Pathname.new("x/y.rb").extname # => ".rb"
Pathname.new("x/y.rb").split # => [#<Pathname:x>, #<Pathname:y.rb>]
Pathname.new("x").fnmatch?("*") # => true
Pathname.new("/").mountpoint? # => true
Pathname.new("/nonexistent").exist? # => false
Pathname.new("/nonexistent").read # raises Errno::ENOENT: No such file or directory @ rb_sysopen - /nonexistent
Pathname.new("a").inspect # => "#<Pathname:a>"
Pathname.new("a").to_s.frozen? # => false
Pathname.new("a").freeze.frozen? # => true
Pathname.new("a/./").cleanpath(true) # => #<Pathname:a/.>
Pathname.new("a/").cleanpath(true) # => #<Pathname:a/>
Pathname.new("a/b/.//.").cleanpath(true) # => #<Pathname:a/b/.>
Pathname.new("/a/../b/").cleanpath(true) # => #<Pathname:/a/../b/>
Pathname.new("./").cleanpath(true) # => #<Pathname:.>

# The match is the caller's.
require "pathname"
Pathname("abc.gif").sub(/\..*/) { $~[0].upcase }.to_s # => "abc.GIF"
$~[0] # => ".gif"
class OfAKind < Pathname; end
OfAKind.new("a/b").sub("b", "c") # => #<OfAKind:a/c>

# With FNM_DOTMATCH, "." is an entry of the first directory that is listed, in its place, and leads to what is in it.
require "tmpdir"
DIR = Dir.mktmpdir
Dir.chdir(DIR)
["a/.b/c", "a/d", ".h/x", "0", "(", "f"].each do |path|
  Dir.mkdir(path[/\A[^\/]+/]) if path.include?("/") && !Dir.exist?(path[/\A[^\/]+/])
  Dir.mkdir("a/.b") if path == "a/.b/c"
  File.write(path, "")
end
def found(pattern, **options) = Dir.glob(pattern, File::FNM_DOTMATCH, **options)
found("*") # => ["(", ".", ".h", "0", "a", "f"]
found("**") # => ["(", ".", ".h", "0", "a", "f"]
found("./*") # => ["./(", "./.", "./.h", "./0", "./a", "./f"]
found("a/*") # => ["a/.", "a/.b", "a/d"]
found("*/*") # => ["./(", "./.h", "./0", "./a", "./f", ".h/x", "a/.b", "a/d"]
found("*/*/*") # => ["./.h/x", "./a/.b", "./a/d", "a/.b/c"]
found("*/") # => ["./", ".h/", "a/"]
found("*/**/") # => ["./", "./.h/", "./a/", "./a/.b/", ".h/", "a/", "a/.b/"]
found("*/**/*") # => ["./(", "./.h", "./.h/x", "./0", "./a", "./a/.b", "./a/.b/c", "./a/d", "./f", ".h/x", "a/.b", "a/.b/c", "a/d"]
found("**/*") # => ["(", ".", ".h", ".h/x", "0", "a", "a/.b", "a/.b/c", "a/d", "f"]
found("**/*/*") # => ["./(", "./.h", "./0", "./a", "./f", ".h/x", "a/.b", "a/.b/c", "a/d"]
found("[.]/*") # => ["./(", "./.h", "./0", "./a", "./f"]
found("*//*") # => [".//(", ".//.h", ".//0", ".//a", ".//f", ".h//x", "a//.b", "a//d"]
found("*/*", base: "a") # => ["./.b", "./d", ".b/c"]
Dir.glob(".*") # => [".", ".h"]
Dir.glob("*/.*") # => ["a/.b"]
Dir.glob(".*/*") # => ["./(", "./0", "./a", "./f", ".h/x"]
Dir.glob(".*/.*") # => ["./.h"]
Dir.glob(".*/**/d") # => ["./a/d"]
# An empty pattern stands for the base that has been named.
Dir.glob("") # => []
Dir.glob("", base: "a") # => [""]
Dir.glob("", base: "0") # => [""]
Dir.glob("", base: "none") # => []
Dir.glob("", base: "") # => []
Dir.glob("{,d}", base: "a") # => ["", "d"]
Dir.open("a") { |dir| [Dir.glob("", base: dir), Dir.glob("*", base: dir)] } # => [[], ["d"]]
dir = Dir.open("a")
copy = Dir.for_fd(IO.sysopen("a"))
Dir.glob("*", base: copy) # => ["d"]
dir.close
Dir.glob("*", base: dir) # raises IOError: closed directory
copy.close
Dir.chdir("/")
require "fileutils"
FileUtils.rm_r(DIR)

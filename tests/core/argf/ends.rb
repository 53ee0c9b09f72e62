# The end of ARGF's files: what is current then, closing, names that come later, limits, in-place edits that cannot be.
require "tmpdir"
dir = Dir.mktmpdir
a, b = "#{dir}/a", "#{dir}/b"
File.write(a, "1\n2\n")
File.write(b, "3\n")
argf = ->(*files) { ARGF.class.new(*files) }
f = argf.(a, b)
f.internal_encoding # => #<Encoding:UTF-8>
f.eof? # => false
f.gets # => "1\n"
f.internal_encoding # => nil
f.skip
f.eof? # => false
f.gets # => "3\n"
f.eof? # => true
f.gets # => nil
f.filename == b # => true
f.closed? # => true
f.close.equal?(f) # => true
f.close.equal?(f) # => true
f = argf.(a)
f.readlines.size # => 2
[f.filename, f.closed?, f.gets] # => ["-", false, nil]
f = argf.(a)
f.gets
f.close
f.closed? # => true
argf.(a).readlines(0) # raises ArgumentError: invalid limit: 0 for readlines
argf.(a).each_line(0) { } # raises ArgumentError: invalid limit: 0 for each_line
argf.(nil).gets # raises TypeError: no implicit conversion of nil into String
named = Struct.new(:to_path).new(b)
argf.(named).read # => "3\n"
f.inplace_mode = "a\0" # raises ArgumentError: string contains null byte
# Another ARGF leaves `$.` to its files.
f = argf.(a, b)
3.times { f.gets }
[f.lineno, $.] # => [3, 1]
out = IO.popen([RbConfig.ruby, "-e", "ARGF.close; ARGV.replace(#{[a, b]}); print ARGF.read", in: IO::NULL], &:read)
out # => "1\n2\n3\n"
script = "ARGF.inplace_mode = '/x/'; while line = ARGF.gets; puts line; end"
said = IO.popen([RbConfig.ruby, "-e", script, a, err: [:child, :out]], &:read)
said == "-e:1: warning: Can't rename #{a} to #{a}/x/: Not a directory, skipping file\n" # => true
File.read(a) # => "1\n2\n"
[a, b].each { |name| File.delete(name) }
Dir.rmdir(dir)

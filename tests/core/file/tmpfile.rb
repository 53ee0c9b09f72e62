# A file without a name has no path.
require "tmpdir"
dir = Dir.mktmpdir
io = File.open(dir, File::RDWR | File::TMPFILE)
io.path # => nil
io.to_path # => nil
io.inspect == "#<File:fd #{io.fileno}>" # => true
io.write("abc") # => 3
io.size # => 3
io.rewind # => 0
io.read # => "abc"
io.dup.path # => nil
Dir.children(dir) # => []
io.close # => nil
Dir.rmdir(dir) # => 0

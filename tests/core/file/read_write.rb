dir = "scratch_read_write"
Dir.mkdir(dir)
path = File.join(dir, "a.txt")
File.write(path, "one\ntwo\nthree") # => 13
File.read(path) # => "one\ntwo\nthree"
File.readlines(path, chomp: true) # => ["one", "two", "three"]
File.foreach(path).count # => 3
File.size(path) # => 13
File.exist?(path) # => true
File.file?(path) # => true
File.directory?(dir) # => true
File.zero?(path) # => false
File.open(path) { |f| f.gets } # => "one\n"
File.open(path, "a") { |f| f << "!"; f.pos } # => 14
File.read(path, 3, 4) # => "two"
IO.read(path).size # => 14
File.binread(path).encoding # => #<Encoding:BINARY (ASCII-8BIT)>
f = File.open(path, "r+")
f.seek(-4, IO::SEEK_END) # => 0
f.read # => "ree!"
f.rewind # => 0
f.pos # => 0
f.readline # => "one\n"
f.tell # => 4
f.truncate(3) # => 0
f.size # => 3
f.flock(File::LOCK_EX) # => 0
f.path == path # => true
f.close # => nil
File.open(path, "wx") # raises Errno::EEXIST: File exists @ rb_sysopen - scratch_read_write/a.txt
File.open(File.join(dir, "none")) # raises Errno::ENOENT: No such file or directory @ rb_sysopen - scratch_read_write/none
File.open(path, "q") # raises ArgumentError: invalid access mode q
File.read(dir) # raises Errno::EISDIR: Is a directory @ io_fread - scratch_read_write
File.rename(path, path + "2") # => 0
File.stat(path + "2").size # => 3
File.stat(path + "2").file? # => true
File.chmod(0o600, path + "2") # => 1
format("%o", File.stat(path + "2").mode) # => "100600"
File.symlink("a.txt2", path) # => 0
File.symlink?(path) # => true
File.readlink(path) == "a.txt2" # => true
File.lstat(path).symlink? # => true
File.realpath(path) == File.realpath(path + "2") # => true
File.unlink(path, path + "2") # => 2
Dir.empty?(dir) # => true
Dir.rmdir(dir) # => 0

# Dirs of descriptors; what happens when there are none left.
require "tmpdir"
dir = Dir.mktmpdir
File.write("#{dir}/f", "")
a = Dir.new(dir)
b = Dir.for_fd(a.fileno)
b.path # => nil
b.children # => ["f"]
b.chdir { Dir.pwd } == File.realpath(dir) # => true
a.close # => nil
b.close # raises Errno::EBADF: Bad file descriptor - closedir
Dir.for_fd(-1) # raises Errno::EBADF
c = Dir.new(dir)
File.rename(dir, dir + "x")
c.rewind.children # => ["f"]
c.close
dir << "x"

# Objects that nobody uses give their descriptors back before one is missed.
soft, hard = Process.getrlimit(:NOFILE)
Process.setrlimit(:NOFILE, 60, hard)
define_method(:drop) { 40.times { File.open(IO::NULL) } }
20.times { drop }
Dir.glob("#{dir}/*").size # => 1
held = []
begin
  loop { held << File.open(IO::NULL) }
rescue Errno::EMFILE
end
Dir.glob("#{dir}/*") # raises Errno::EMFILE
IO.pipe # raises Errno::EMFILE
held.each(&:close)
Process.setrlimit(:NOFILE, soft, hard)
File.delete("#{dir}/f")
Dir.rmdir(dir)

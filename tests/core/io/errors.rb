# Errors of the system: EPIPE, ENOSPC, EMFILE, EBADF, EAGAIN.
r, w = IO.pipe
r.close
w.write("x") # raises Errno::EPIPE: Broken pipe
w.close
full = File.open("/dev/full", "w")
full.write("x")
full.flush # raises Errno::ENOSPC
begin
  full.close
rescue Errno::ENOSPC => e
  e.class # => Errno::ENOSPC
end
full.closed? # => true
r, w = IO.pipe
r.read_nonblock(1) # raises IO::EAGAINWaitReadable: Resource temporarily unavailable - read would block
r.read_nonblock(1, exception: false) # => :wait_readable
w.write_nonblock("x" * 100_000) # => 65536
w.write_nonblock("x", exception: false) # => :wait_writable
IO.for_fd(987_654) # raises Errno::EBADF: Bad file descriptor
r.close
r.read # raises IOError: closed stream
r.close # => nil
w.close
soft, hard = Process.getrlimit(:NOFILE)
Process.setrlimit(:NOFILE, 40, hard)
open = []
begin
  100.times { open << File.open("/dev/null") }
rescue Errno::EMFILE => e
  e.message # => "Too many open files @ rb_sysopen - /dev/null"
end
open.each(&:close)
Process.setrlimit(:NOFILE, soft, hard)
File.open("/dev/null", &:read) # => ""

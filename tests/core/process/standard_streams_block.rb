# What a program that this one starts or becomes reads, writes and complains on blocks, whatever it is here:
# a pipe of Ruby's does not.
require "fcntl"
SHOW = "sed -n s/flags://p /proc/self/fdinfo/0"
r, w = IO.pipe
r.fcntl(Fcntl::F_GETFL) & File::NONBLOCK # => 2048
pid = fork do
  STDIN.reopen(r)
  p STDIN.fcntl(Fcntl::F_GETFL) & File::NONBLOCK
  $stdout.flush
  system(SHOW)
  exec(SHOW)
end
Process.wait(pid) == pid # => true
# prints: 2048
# prints: 	00
# prints: 	00

# A program that cannot be started leaves them blocking, too.
a, b = IO.pipe
pid = fork do
  STDIN.reopen(a)
  exec("/nonexistent/program")
rescue SystemCallError
  p STDIN.fcntl(Fcntl::F_GETFL) & File::NONBLOCK
  $stdout.flush
  exit!(0)
end
Process.wait(pid) == pid # => true
# prints: 0

# So a program that is read from before there is anything waits for it.
c, d = IO.pipe
e, f = IO.pipe
pid = fork do
  d.close
  STDIN.reopen(c)
  STDOUT.reopen(f)
  exec("cat")
end
f.close
c.close
sleep 0.2
d << "late"
d.close
e.read # => "late"
Process.wait2(pid)[1].exitstatus # => 0

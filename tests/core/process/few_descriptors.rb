# Redirections below a low limit of descriptors: what is in nobody's way needs no other number.
require "tmpdir"
soft, hard = Process.getrlimit(:NOFILE)
Process.setrlimit(:NOFILE, 50, hard)
def status(...) = Process.wait2(spawn(...))[1].exitstatus
status("true", 49 => 1) # => 0
status("true", 100 => 1) # raises Errno::EBADF: Bad file descriptor - dup2
status("true", 100 => [IO::NULL]) # raises Errno::EBADF: Bad file descriptor - dup2
status("true", 1 => 100) # raises Errno::EBADF: Bad file descriptor - dup2
status("true", 1 => 1, 49 => [:child, 1]) # => 0
status("true", 100 => :close) # raises Errno::EBADF: Bad file descriptor - close
`echo a` # => "a\n"
IO.popen("cat >&5; echo end", "r+", 5 => [:child, 1]) { |io| io.write("q"); io.close_write; io.read } # => "qend\n"
Dir.mktmpdir do |dir|
  # Both ways around, and numbers that stand for each other.
  r, w = IO.pipe
  status("echo one >&#{w.fileno}; echo two >&#{r.fileno}", w.fileno => ["#{dir}/a", "w"], r.fileno => w) # => 0
  w.close
  [r.read, File.read("#{dir}/a")] # => ["two\n", "one\n"]
  r.close
  status("echo out; echo err >&2", out: ["#{dir}/b", "w"], err: [:child, :out]) # => 0
  File.read("#{dir}/b") # => "out\nerr\n"
end
Process.setrlimit(:NOFILE, soft, hard)

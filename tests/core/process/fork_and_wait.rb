pid = fork { exit 7 }
Process.wait(pid) == pid # => true
$?.exitstatus # => 7
$?.pid == pid # => true
$?.signaled? # => false
pid = fork { Process.kill(:TERM, Process.pid); sleep 5 }
Process.wait(pid)
$?.signaled? # => true
$?.termsig # => 15
$?.exitstatus # => nil
r, w = IO.pipe
pid = fork { r.close; w.write("from child"); w.close; exit!(0) }
w.close
r.read # => "from child"
Process.wait2(pid).last.success? # => true
Process.spawn("exit 3").then { |p| Process.wait(p); $?.exitstatus } # => 3
r, w = IO.pipe
Process.wait(spawn("echo out; echo err >&2", out: w, err: w))
w.close
r.read # => "out\nerr\n"
Process.clock_gettime(Process::CLOCK_MONOTONIC).class # => Float
Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond).class # => Integer
Process.pid == $$ # => true
Process.ppid.class # => Integer
Process.wait # raises Errno::ECHILD: No child processes
Process.kill(:NOPE, 0) # raises ArgumentError: unsupported signal 'SIGNOPE'
Process.kill(0, Process.pid) # => 1
Process.times.utime.class # => Float
Process.detach(fork { exit 2 }).value.exitstatus # => 2
ENV["X_Y"] # => nil
ENV["X_Y"] = "z"
`echo $X_Y` # => "z\n"
ENV.fetch("X_Y") # => "z"
ENV.delete("X_Y") # => "z"
ENV.key?("X_Y") # => false
ENV["a"] = 1 # raises TypeError: no implicit conversion of Integer into String
ENV.fetch("X_NOPE") # raises KeyError: key not found: "X_NOPE"

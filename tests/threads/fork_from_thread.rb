r, w = IO.pipe
pid = Thread.new { fork { w.write(Thread.list.size.to_s); exit!(0) } }.value
Process.wait(pid)
w.close
r.read # => "1"
Thread.new { `echo from a thread` }.value # => "from a thread\n"
3.times.map { |i| Thread.new { system("exit #{i}"); $?.exitstatus } }.map(&:value) # => [0, 1, 2]

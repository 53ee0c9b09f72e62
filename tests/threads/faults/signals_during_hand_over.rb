# Signals that arrive while the lock changes hands are handled once each or together, none is lost,
# and nobody is stranded.
# timeout: 60
seen = 0
trap(:USR1) { seen += 1 }
stop = false
pairs = 3.times.map do
  there, back = Thread::Queue.new, Thread::Queue.new
  [Thread.new { back << there.pop until stop }, Thread.new { (there << 1; back.pop) until stop; there << 1 }]
end
burner = Thread.new { nil until stop }
sender = fork do
  trap(:USR1, "DEFAULT")
  300.times { Process.kill(:USR1, Process.ppid); sleep 0.0005 }
  exit!(0)
end
Process.wait(sender)
Process.kill(:USR1, Process.pid)
Thread.pass until seen > 0
stop = true
pairs.flatten.push(burner).all? { |thread| thread.join(20) } # => true
seen.between?(1, 301) # => true
before = seen
Process.kill(:USR1, Process.pid)
sleep 0.001 until seen > before
seen - before # => 1
trap(:USR1, "DEFAULT")

got = []
old = trap("USR1") { |n| got << n }
old # => "DEFAULT"
Process.kill("USR1", Process.pid)
sleep 0.01 until got.any?
got.size # => 1
Signal.signame(15) # => "TERM"
Signal.list["INT"] # => 2
trap("USR1", "DEFAULT").class # => Proc
trap("KILL") { } # raises Errno::EINVAL: Invalid argument - SIGKILL
trap("NOPE") { } # raises ArgumentError: unsupported signal 'SIGNOPE'
begin
  Process.kill(:INT, Process.pid)
  sleep 1
rescue Interrupt => e
  e.signo # => 2
end
begin
  Process.kill(:TERM, Process.pid)
  sleep 1
rescue SignalException => e
  e.message # => "SIGTERM"
end

# A signal that a thread sends to its own process is known to the main thread when `kill` returns: it cannot leave the
# masked part without it.
outcomes = 200.times.map do
  waiting, release = Thread::Queue.new, Thread::Queue.new
  sender = Thread.new do
    waiting.pop
    Process.kill(:INT, Process.pid)
    release << true
  end
  begin
    inner = nil
    Thread.handle_interrupt(SignalException => :never) do
      waiting << true
      release.pop
      inner = :masked
    end
    :lost
  rescue Interrupt
    inner
  ensure
    sender.join
  end
end
outcomes.tally # => {masked: 200}
# `puts` is a wait, `p` is none.
require "stringio"
def written(how)
  out, before = [], $stdout.dup
  reader, writer = IO.pipe
  ready = going = false
  $stdout.reopen(writer)
  thread = Thread.new do
    Thread.current.report_on_exception = false
    Thread.handle_interrupt(RuntimeError => :on_blocking) do
      ready = true
      nil until going
      send(how, 1)
    end
  end
  Thread.pass until ready
  thread.raise RuntimeError
  going = true
  thread.join rescue nil
  $stdout.flush
  $stdout.reopen(before)
  writer.close
  reader.read
end
written(:puts) # => ""
written(:p) # => "1\n"
# So is a signal to the own process.
log = []
begin
  Thread.handle_interrupt(SignalException => :on_blocking) do
    Process.kill(:INT, Process.pid)
    log << :went_on
    sleep 0.01
  end
rescue Interrupt
  log << :interrupted
end
log # => [:interrupted]

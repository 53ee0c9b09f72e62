log = []
ready = Thread::Queue.new
t = Thread.new do
  Thread.handle_interrupt(RuntimeError => :on_blocking) do
    ready << 1
    200_000.times { }
    log << :computed
    begin
      sleep
    rescue => e
      log << e.message
    end
  end
end
ready.pop
t.raise("at the sleep")
t.join
log # => [:computed, "at the sleep"]

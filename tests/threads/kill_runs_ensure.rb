log = []
ready = Thread::Queue.new
t = Thread.new do
  begin
    ready << 1
    sleep
  ensure
    log << :inner
    begin
      log << :more
    ensure
      log << :outer
    end
  end
end
ready.pop
t.kill
t.join
log # => [:inner, :more, :outer]
u = Thread.new { begin; loop { }; ensure; log << :computing; end }
Thread.pass until u.status == "run"
sleep 0.01
u.kill
u.join
log.last # => :computing
u.status # => false

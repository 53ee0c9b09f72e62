log = []
t = Thread.new do
  begin
    sleep
  ensure
    log << :cleaned
  end
end
Thread.pass until t.stop?
t.kill
t.join
log # => [:cleaned]

t = Thread.new(1, 2) { |a, b| a + b }
t.value # => 3
t.alive? # => false
t.status # => false
t.join.equal?(t) # => true
Thread.new { Thread.current.class }.value # => Thread
Thread.main == Thread.current # => true
Thread.new { 1 }.join(5).class # => Thread
Thread.new { sleep }.tap { |s| Thread.pass until s.stop? }.status # => "sleep"
s = Thread.new { sleep }
s.join(0) # => nil
s.kill.equal?(s) # => true
s.join.value # => nil
Thread.new # raises ThreadError: must be called with a block
Thread.new { Thread.exit; 1 }.value # => nil
Thread.new { Thread.stop }.tap { |x| Thread.pass until x.stop?; x.run; x.join }.status # => false
Thread.list.include?(Thread.current) # => true
Thread.start { :started }.value # => :started
Thread.fork { :forked }.value # => :forked

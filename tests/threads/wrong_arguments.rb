# needs: 4.0
group = ThreadGroup.new
group.add(1) # raises TypeError: wrong argument type Integer (expected VM/thread)
group.add(nil) # raises TypeError: wrong argument type nil (expected VM/thread)
Thread.kill(1) # raises TypeError: wrong argument type Integer (expected VM/thread)
ended = Thread.new { }.join
group.add(ended).equal?(group) # => true
ended.group.equal?(group) # => true
group.list # => []
group.freeze
ThreadGroup::Default.add(ended) # raises ThreadError: can't move from the frozen thread group

Thread.current.fetch("missing") # raises KeyError: key not found: "missing"
Thread.current.fetch(:missing) # raises KeyError: key not found: :missing
begin
  Thread.current.fetch("missing")
rescue KeyError => error
  [error.key, error.receiver.equal?(Thread.current)] # => ["missing", true]
end

sleeper = Thread.new { sleep }
Thread.pass until sleeper.stop?
sleeper.backtrace(1.5).class # => Array
sleeper.backtrace(9, 0) # => []
sleeper.backtrace(9) # => nil
sleeper.backtrace(9..) # => nil
sleeper.backtrace(-1) # raises ArgumentError: negative level (-1)
sleeper.backtrace(0, -1) # raises ArgumentError: negative size (-1)
sleeper.backtrace((0..).step(2)) # raises TypeError: no implicit conversion of Enumerator::ArithmeticSequence into Integer
sleeper.backtrace_locations(1.5).class # => Array
sleeper.kill.join
Thread.each_caller_location(1, 2, 3) { } # raises ArgumentError: wrong number of arguments (given 3, expected 0..2)
Thread.each_caller_location # raises LocalJumpError: no block given

fiber = Fiber.new { }
fiber.resume
fiber.backtrace # => []
fiber.backtrace(5, 1) # => []
fiber.backtrace(0..1) # => nil
fiber.backtrace(1, -1) # raises ArgumentError: negative size (-1)
fiber.backtrace_locations("a") # raises TypeError: no implicit conversion of String into Integer
Fiber.blocking # raises LocalJumpError: no block given
Fiber.new(1) { 2 }.resume # => 2
Fiber.new(&:succ).inspect # => "#<Fiber:0xXX(&:succ) (created)>"

queue = Thread::Queue.new([1, 2])
queue.send(:initialize, [3])
[queue.size, queue.pop] # => [1, 3]

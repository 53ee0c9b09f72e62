# A killed thread that runs its ensure clauses is "aborting", and on the list still.
# stderr: aborting> terminated with exception (report_on_exception is true):
seen = Thread::Queue.new
thread = Thread.new do
  sleep
ensure
  seen << [Thread.current.status, Thread.list.include?(Thread.current), Thread.current.alive?]
  raise "while it aborts"
end
Thread.pass until thread.stop?
thread.kill
seen.pop # => ["aborting", true, true]
thread.join # raises RuntimeError: while it aborts
thread.status # => nil
Thread.list.include?(thread) # => false

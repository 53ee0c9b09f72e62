# Hooks on threads' turns, what extensions keep for threads, postponed jobs.
require_relative "fixtures/build"
load_c("turns")

# Where many threads take turns, `only` says of which one is noted: there is room for some thousand events.
define_method(:told) do |only = nil, &work|
  Turns.start(only)
  thread = work.call
  Turns.stop.filter_map { |about, event, _| event if about.equal?(thread) }
end
# What is told of one thread: it is ready before it goes on, and suspended before it is ready again.
define_method(:consistent?) do |events|
  follows = { started: [:ready], ready: [:resumed], resumed: [:suspended], suspended: [:ready, :exited], exited: [] }
  events.each_cons(2).all? { |before, after| follows[before].include?(after) }
end

told { Thread.new { 1 + 1 }.tap(&:join) } # => [:started, :ready, :resumed, :suspended, :exited]
events = told { Thread.new { sleep 0.01 }.tap(&:join) }
consistent?(events) # => true
events.first(5) # => [:started, :ready, :resumed, :suspended, :ready]
events.last # => :exited
told { Thread.pass; Thread.current } # => []
main = Thread.current
events = told(main) do
  computing = 4.times.map { Thread.new { i = 0; i += 1 while i < 30_000 } }
  [*computing, Thread.new { Thread.pass until main.stop? }].each(&:join)
  main
end
consistent?(events) # => true
events.size >= 3 # => true
queue = Thread::Queue.new
events = told do
  waiting = Thread.new { queue.pop }
  Thread.pass until waiting.stop?
  queue << 1
  waiting.tap(&:join)
end
[events[0, 4], consistent?(events), events.last] # => [[:started, :ready, :resumed, :suspended], true, :exited]
reader, writer = IO.pipe
events = told { thread = Thread.new { reader.gets }; sleep 0.01; writer.puts; thread.tap(&:join) }
[consistent?(events), events.count(:suspended) >= 2] # => [true, true]

# What an extension keeps for a thread is there in the hook.
Turns.mark(Thread.current) # => false
Turns.mark(Thread.current) # => true
Thread.current.thread_variables # => []
Turns.start(nil)
sleep 0.001
Turns.stop.map(&:last).uniq # => [true]
Turns.mark(Thread.new {}) # => false

# Jobs run at a safepoint, once however often they are asked for, with what was said last.
Turns.trigger(0, 5) # => 0
Turns.jobs_done # => 1
Turns.registered?(10) # => true
Turns.trigger(0, 1)
Thread.pass
Turns.jobs_done # => 11
begin
  Turns.trigger(1, 1)
  sleep 0.01
rescue RuntimeError => error
  error.message # => "the job failed"
end

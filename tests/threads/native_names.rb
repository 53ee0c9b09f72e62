# The system knows threads by their names, or by where they were begun.
comm = ->(thread) { File.read("/proc/self/task/#{thread.native_thread_id}/comm").chomp }
queue = Queue.new
named = Thread.new { queue.pop }
Thread.pass until named.stop?
comm.call(named) # => "native_names.rb"
named.name = "a name that is long"
comm.call(named) # => "a name that is "
queue << 1
named.join
before = Thread.new { Thread.current.name = "own"; comm.call(Thread.current) }
before.value # => "own"
Thread.new { comm.call(Thread.current) }.value # => "native_names.rb"

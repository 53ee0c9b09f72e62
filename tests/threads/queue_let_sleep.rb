# Consumers and producers that were woken, but whose item or place another one has taken, sleep on and miss nothing

# Each item is taken once, however consumers come and go.
def drained(consumers, items, queue, disturb)
  taken = Array.new(consumers) { [] }
  threads = taken.map do |list|
    Thread.new do
      while (item = disturb == :timeout ? queue.pop(timeout: 0.001) || :none : queue.pop)
        break if item == :stop
        list << item unless item == :none
      end
    end
  end
  producer = Thread.new { items.each { |item| queue.push(item) } }
  while producer.alive?
    case disturb
    when :wakeup then begin threads.sample.wakeup; rescue ThreadError; end
    when :take then (item = queue.pop(timeout: 0)) && taken[0] << item
    end
    Thread.pass
  end
  producer.join
  consumers.times { queue.push(:stop) }
  threads.each(&:join)
  taken.sum(&:size)
end

items = (1..2000).to_a
drained(10, items, Queue.new, nil) # => 2000
drained(10, items, SizedQueue.new(100), nil) # => 2000
drained(10, items, SizedQueue.new(1), :take) # => 2000
drained(10, items, SizedQueue.new(3), :wakeup) # => 2000
drained(10, items, SizedQueue.new(7), :timeout) # => 2000

# A consumer that is killed while others sleep on leaves its item to one of them.
queue = Queue.new
done = Queue.new
50.times do
  threads = Array.new(3) { Thread.new { done << queue.pop } }
  Thread.pass until queue.num_waiting == 3
  queue << 1
  queue << 2
  queue << 3
  queue.pop(timeout: 0)&.then { |item| done << item }
  threads[1].kill
  3.times { queue << 4 }
  threads.each(&:join)
  queue.clear
  done.clear
end
[queue.num_waiting, queue.size] # => [0, 0]

# Those who push wait likewise.
places = SizedQueue.new(2)
pushers = Array.new(8) { |i| Thread.new { 100.times { |j| places.push([i, j]) } } }
got = []
got << places.pop while got.size < 800
pushers.each(&:join)
got.uniq.size # => 800
got.group_by(&:first).values.all? { |list| list == list.sort } # => true
[places.num_waiting, places.size] # => [0, 0]

# A queue that is closed lets all of them go.
queue = Queue.new
threads = Array.new(5) { Thread.new { queue.pop } }
Thread.pass until queue.num_waiting == 5
queue << 1 << 2
queue.clear
queue.close
threads.map(&:value).compact.size # => 0

# Nobody is left to wake them: a deadlock is seen.
queue = Queue.new
sleeper = Thread.new { queue.pop }
Thread.pass until queue.num_waiting == 1
begin
  queue << 1
  queue.pop(timeout: 0)
  queue.num_waiting == 1 ? sleeper.join : raise(Exception, "it took the item")
rescue Exception => error
  error.message.lines.first[/No live threads left. Deadlock|it took the item/] ? true : error # => true
end

# Of a closed queue all come, also those who are called for items that another takes.
ended = [:pop, :clear].map do |taking|
  queue = Thread::Queue.new
  threads = 3.times.map { Thread.new { queue.pop } }
  Thread.pass until threads.all?(&:stop?)
  3.times { |i| queue << i }
  queue.close
  taking == :pop ? 3.times { queue.pop(timeout: 0) } : queue.clear
  threads.count { |thread| thread.join(10) }
end
ended # => [3, 3]

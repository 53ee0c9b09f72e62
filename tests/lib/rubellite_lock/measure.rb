# What a piece of work did with the lock.
def until_true(limit = 10)
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  sleep 0.001 until yield || Process.clock_gettime(Process::CLOCK_MONOTONIC) - start > limit
end

def spin(seconds)
  ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
  nil while Process.clock_gettime(Process::CLOCK_MONOTONIC) < ends
end

def work(seconds)
  spin(seconds)
end

# Alone: the parts add up, nothing waits.
alone = Rubellite::Lock.measure { spin(0.02); sleep 0.03; :done }
alone.class # => Rubellite::Lock::Measure
alone.value # => :done
alone.held_ns >= 19_000_000 # => true
alone.outside_ns >= 29_000_000 # => true
alone.wall_ns >= 49_000_000 # => true
(alone.held_ns + alone.waited_ns + alone.outside_ns - alone.wall_ns).abs < 1_000_000 # => true
alone.frozen? # => true
Rubellite::Lock.measure { }.then { |empty| [empty.value, empty.longest_wait_ns, empty.behind, empty.behind_ns, empty.place] } # => [nil, 0, nil, nil, nil]

# Beside a thread that computes: who held the lock during the longest wait, for how long, and where.
stop = false
hog_lines = [method(:spin), method(:work)].flat_map { |m| [1, 2].map { |i| m.source_location[1] + i } } << __LINE__ + 1
hog = Thread.new { work(0.005) until stop }
hog.name = "hog"
# On a busy machine the hog may be asked where it is when its turn is over already; then once more.
found = nil
20.times do
  waits = Rubellite::Lock.stats(Thread.current)[:waits]
  found = Rubellite::Lock.measure do
    until_true { Rubellite::Lock.stats(Thread.current)[:waits] > waits + 5 }
    spin(0.03)
  end
  break if found.place
end
found.waits > 3 # => true
found.waited_ns > 0 && found.longest_wait_ns > 0 && found.longest_wait_ns <= found.waited_ns # => true
found.behind # => "hog"
found.behind_ns.between?(1, found.longest_wait_ns) # => true
hog_lines.include?(found.place[/measure\.rb:(\d+)\z/, 1].to_i) # => true

# Behind a native method that does not give way: its line, not that of the safepoint behind it.
ROWS = (1..200_000).to_h { |i| [i, i] }
found = nil
20.times do
  native = Thread.new do
    10.times do
      copy = ROWS.dup
      copy.size
      sleep 0.001
    end
  end
  found = Rubellite::Lock.measure { sleep 0.001 while native.alive? }
  break if found.place.to_s.end_with?(":#{__LINE__ - 6}")
end
found.place[/measure\.rb:(\d+)\z/, 1].to_i == __LINE__ - 8 # => true

# It is the thread's own: another one knows nothing of it.
inner = nil
outer = Rubellite::Lock.measure do |whole|
  spin(0.03)
  inner = Rubellite::Lock.measure { spin(0.03) }
  Thread.new { whole.read }.value # => nil
  whole.read.held_ns >= inner.held_ns # => true
end
outer.held_ns > inner.held_ns && outer.waits >= inner.waits && outer.longest_wait_ns >= inner.longest_wait_ns # => true
stop = true
hog.join

# An exception, a break and a throw leave the block: it has ended, and what it was is there.
kept = nil
begin
  Rubellite::Lock.measure { |measuring| kept = measuring; spin(0.002); raise "x" }
rescue RuntimeError
  kept.read.held_ns >= 1_000_000 # => true
end
kept.read == kept.read # => true
Rubellite::Lock.measure { |measuring| kept = measuring; break 5 } # => 5
catch(:out) { Rubellite::Lock.measure { |measuring| kept = measuring; throw :out } }
kept.read.value # => nil
Thread.new { Rubellite::Lock.measure { |measuring| kept = measuring; Thread.exit } }.join
kept.read.wall_ns > 0 # => true
Rubellite::Lock.measure # raises ArgumentError: no block given

# A measurement that a fiber leaves open ends with its thread; the next one is right.
Thread.new { Fiber.new { Rubellite::Lock.measure { Fiber.yield } }.resume; Rubellite::Lock.measure { 1 }.value }.value # => 1
200.times { Thread.new { Fiber.new { Rubellite::Lock.measure { Fiber.yield } }.resume }.join }
Rubellite::Lock.measure { 2 }.value # => 2

# How many threads like this keep the lock busy.
Measure = Rubellite::Lock::Measure
Measure.new(nil, 100, 20, 0, 80, 0, 0, nil, nil, nil).useful_threads # => 5.0
Measure.new(nil, 100, 20, 60, 20, 0, 0, nil, nil, nil).useful_threads # => 2.0
Measure.new(nil, 100, 0, 0, 100, 0, 0, nil, nil, nil).useful_threads # => Infinity

# In the child of a fork it goes on.
read, write = IO.pipe
Rubellite::Lock.measure do |measuring|
  child = fork { write << (measuring.read ? "goes on" : "gone") }
  Process.wait(child)
end
write.close
read.read # => "goes on"

# timeout: 120
# With --schedule=SEED a program gives the same output run after run, and another for another seed.
require "rbconfig"

def run(seed, code)
  IO.popen([RbConfig.ruby, "--schedule=#{seed}", "-e", code], &:read)
end

COUNTER = <<~'RUBY'
  def add(n) = n + 1
  counter = 0
  Array.new(4) { Thread.new { 100.times { counter = add(counter) } } }.each(&:join)
  p counter
RUBY

QUEUE = <<~'RUBY'
  queue = Queue.new
  out = []
  lock = Mutex.new
  makers = Array.new(3) { |i| Thread.new { 10.times { |j| queue << [i, j]; sleep 0.001 * rand if j % 5 == 0 } } }
  takers = Array.new(2) do |i|
    Thread.new { while (x = queue.pop); lock.synchronize { out << [i, *x] }; sleep 0.0005 if rand < 0.2; end }
  end
  makers.each(&:join)
  queue.close
  takers.each(&:join)
  p out, Process.clock_gettime(Process::CLOCK_MONOTONIC), Time.now, rand, "a".hash, [1, :a].hash
RUBY

[COUNTER, QUEUE].each do |code|
  Array.new(50) { run(7, code) }.uniq.size # => 1
  Array.new(50) { run(8, code) }.uniq.size # => 1
  (1..20).map { |seed| run(seed, code) }.uniq.size > 3 # => true
end
(1..20).any? { |seed| run(seed, COUNTER).to_i < 400 } # => true

# Time is the schedule's own: it goes on with the program and leaps over sleeps.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
run(1, "sleep 3600; p Time.now - Time.at(946684800) >= 3600") # => "true\n"
run(1, "t = Thread.new { sleep 10; 1 }; u = Thread.new { sleep 20; 2 }; p u.join(15), t.value, u.value") # => "nil\n1\n2\n"
run(1, "require 'timeout'; begin; Timeout.timeout(5) { loop { sleep 1 } }; rescue Timeout::Error; p :late; end") # => ":late\n"
Process.clock_gettime(Process::CLOCK_MONOTONIC) - start < 60 # => true

run("1,0", "Array.new(3) { |i| Thread.new { 200.times { |j| i + j }; print i } }.each(&:join); p Rubellite::Lock.schedule[:switches]").size # => 5
run(1, "p Rubellite::Lock.schedule[:seed]") # => "1\n"
Rubellite::Lock.schedule # => nil
run(1, "r, w = IO.pipe; t = Thread.new { r.read }; w << 'outside'; w.close; puts t.value") # => "outside\n"
IO.popen([RbConfig.ruby, "--schedule=x", "-e", "1", err: [:child, :out]], &:read)[/invalid.*/] # => "invalid schedule: x (a seed, or seed,switches) (RuntimeError)"

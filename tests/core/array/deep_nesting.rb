# Operations on deep structures take time in proportion to the depth.
# needs: 4.0
deep = ->(n) { n.times.inject([]) { |inner, _| [inner] } }
# With a collection, or a step of one, at each allocation the time is in proportion to its square.
depth = { "gc" => 500, "steps" => 5_000 }.fetch(ENV["RUBELLITE_STRESS"], 50_000)
a, b = deep.(depth), deep.(depth)
def seconds = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
start = seconds
a == b # => true
a.eql?(b) # => true
a.hash == b.hash # => true
a <=> b # => 0
a.flatten # => []
a.join # => ""
seconds - start < 2 # => true
a == deep.(depth - 1) # => false
loop_ = []
40.times.inject(loop_) { |inner, _| inner.push([]).last }.push(loop_)
loop_.hash == loop_[0].hash # => true
loop_.inspect.scan("[...]").size # => 1
ring = ->(n) { [].tap { |root| n.times.inject(root) { |inner, _| inner.push([]).last }.push(root) } }
[1, 14, 15, 16, 17, 40].map { |n| ring.(n).flatten rescue $!.message }.uniq # => ["tried to flatten recursive array"]
[1, 14, 15, 16, 17, 40].map { |n| n.times.inject([0]) { |inner, i| [i, inner, [i], []] }.flatten.size } # => [3, 29, 31, 33, 35, 81]

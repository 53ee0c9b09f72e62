# What is dumped or filed anew in slices is an array or hash as it was at one time, whatever other threads do to it.
# timeout: 120
Rubellite::Lock.slice = 0.0005 if defined?(Rubellite)
COUNT = { "gc" => 100, "switch" => 9000 }.fetch(ENV["RUBELLITE_STRESS"].to_s, 20_000)
ROWS = [COUNT, 3000].min
FIRST = Marshal.load(Marshal.dump((0...COUNT).map { |i| "s#{i}" }))

def beside(change)
  done = false
  ready = Queue.new
  other = Thread.new do
    ready << true
    i = 0
    change.call(i += 1) until done
  end
  ready.pop
  yield
ensure
  done = true
  other.join
end

# No element is lost, doubled or made up while others come and go behind them.
array = FIRST.dup
whole = beside(->(i) { i.odd? ? array.push(i.to_s) : array.pop }) do
  3.times.all? { Marshal.load(Marshal.dump(array)).first(COUNT) == FIRST }
end
whole # => true

hash = FIRST.to_h { |key| [key, [key]] }
whole = beside(->(i) { i.odd? ? hash["more"] = i : hash.delete("more") }) do
  3.times.all? { Marshal.load(Marshal.dump(hash)).except("more") == hash.except("more") }
end
whole # => true

# A value that is stored while the hash is filed anew is there afterwards.
counts = FIRST.to_h { |key| [key, 0] }
stored = 0
beside(->(i) { counts["s0"] = stored = i }) { 3.times { counts.rehash } }
[counts.size == COUNT, counts["s0"] == stored] # => [true, true]

# Keys that have become equal: the first keeps its place, the last gives the value.
same = [[1], [2], [3]]
table = { same[0] => :a, same[1] => :b, same[2] => :c }
same[2][0] = 1
table.rehash # => {[1] => :c, [2] => :b}
large = (1..ROWS).to_h { |i| [[i], i] }
large.keys.last[0] = 1
large.rehash.first == [[1], ROWS] # => true
large.size == ROWS - 1 # => true

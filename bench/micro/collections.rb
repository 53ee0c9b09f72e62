# Costs per element of methods that go over collections, and of long argument lists, in nanoseconds:
# the minimum of several rounds.
ROUNDS = 5
SIZE = 1000
TIMES = 300

def report(name, times = TIMES * SIZE)
  best = ROUNDS.times.map do
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
    TIMES.times { yield }
    Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) - start
  end.min
  puts format("%.1f %s", best / times.to_f, name)
end

def rest(*a)
end

def first_and_rest(a, b, *c)
end

list = (0...SIZE).to_a
hash = list.to_h { |x| [x, x] }
small = { a: 1, b: 2, c: 3 }
report("Array#inject(:+)") { list.inject(:+) }
report("Array#inject with a block") { list.inject { |a, b| a + b } }
report("Range#inject(:+)") { (1..SIZE).inject(:+) }
report("Range#inject with a block") { (1..SIZE).inject { |a, b| a + b } }
report("each_with_index.map") { list.each_with_index.map { |x, i| x + i } }
report("each_slice(2).map") { list.each_slice(2).map { |a, b| a + b } }
report("Enumerator#next", TIMES * 100) { (e = list.each; 100.times { e.next }) }
report("Hash#select") { hash.select { |k, v| v > 500 } }
report("Hash#merge of a pair", TIMES * 100) { 100.times { small.merge(z: 1) } }
report("f(*list) for a rest") { rest(*list) }
report("f(*list) for two and a rest") { first_and_rest(*list) }
report("[*list, *list]") { [*list, *list] }

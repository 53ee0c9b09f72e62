# Tracing that begins while compiled code runs, collections, shapes, other threads.
# flags: --jit-threshold=2

def helper(n) = n + 1
def traced(n, at)
  events = []
  trace = TracePoint.new(:call) { |tp| events << tp.method_id if tp.method_id == :helper }
  n.times do |i|
    trace.enable if i == at
    helper(i)
  end
  trace.disable
  events
end
traced(5, 9) # => []
traced(5, 2) # => [:helper, :helper, :helper]

class Shape
  def initialize(n) = n.times { |i| instance_variable_set("@v#{i}", i) }
  def many = [@v0, @v1, @v2, @v3, @v4, @v5, @v6, @v7, @v8, @v9]
  def more = @late = (@late || 0) + 1
end
shapes = [1, 3, 10, 2, 10].map { Shape.new(it) }
3.times.map { shapes.map { |shape| shape.many.compact.sum } }.uniq # => [[0, 3, 45, 1, 45]]
3.times.map { shapes.map(&:more) } # => [[1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]

def garbage(n)
  kept = []
  n.times do |i|
    text = "item #{i}"
    GC.start if i % 50 == 49
    kept << text if i % 10 == 0
    x = i * 1.0e200
    kept << x if i % 40 == 1
  end
  kept
end
garbage(100).size # => 13
garbage(100).last(3) # => ["item 80", 8.1e+201, "item 90"]

counts = Array.new(4) { |k| Thread.new { s = 0; 20_000.times { |i| s += i ^ k }; s } }.map(&:value)
counts # => [199990000, 199990000, 199990000, 199990000]

reader, writer = IO.pipe
pid = fork do
  reader.close
  writer.write(30.times.map { |i| helper(i) }.sum)
  exit!(0)
end
writer.close
Process.wait(pid)
reader.read # => "465"
Rubellite::JIT.enabled? # => true
Rubellite::JIT.stats[:units] > 10 # => true

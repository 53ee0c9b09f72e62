# The events `call` and `b_call` come when parameters have their values: optional ones, destructured ones, and those
# that blocks capture.
class Seen
  def one(num, o = (NOTES << :default; 1), *r, k: (NOTES << :keyword; 2), j: 3) = [1].each { [num, o, r, k, j] }
  def other(num, o = (NOTES << :default; 1), *r, k: (NOTES << :keyword; 2), j: 3) = [num, o, r, k, j]
  def parts((a, b), c) = [1].each { a }
  def bad(a = raise("bad")) = a
  def on(tp, a = tp.enable, b: 1) = [a].each { b }
  def endless(n = 2)
    while n > 0
      n -= 1
    end
  end
  define_method(:made) { |x, y = (x + 1)| [1].each { y } }
end
NOTES = []

def notes(*events, method)
  NOTES.clear
  point = TracePoint.new(*events) do |tp|
    next unless tp.method_id == method
    binding = tp.binding
    NOTES << [tp.event, *binding.local_variables.sort.map { |name| binding.local_variable_get(name) }]
  end
  point.enable { yield Seen.new }
  NOTES.dup
end

notes(:call, :one) { _1.one(5) } # => [:default, :keyword, [:call, 3, 2, 5, 1, []]]
notes(:call, :one) { _1.one(5, 6, 7, k: 8) } # => [[:call, 3, 8, 5, 6, [7]]]
notes(:call, :other) { _1.other(5) } # => [:default, :keyword, [:call, 3, 2, 5, 1, []]]
notes(:call, :parts) { _1.parts([2, 3], 4) } # => [[:call, 2, 3, 4]]
notes(:call, :endless) { _1.endless } # => [[:call, 2]]
notes(:call, :made) { _1.made(4) } # => [[:call, 4, 5]]
notes(:call, :return, :bad) { _1.bad rescue NOTES << $!.message } # => [[:return, nil], "bad"]

# Enabled by a default: the entry comes yet.
events = []
point = TracePoint.new(:call, :return) { |tp| events << [tp.event, tp.method_id] if tp.method_id == :on }
Seen.new.on(point)
point.disable
events # => [[:call, :on], [:return, :on]]

# Blocks and lambdas.
seen = []
enter = TracePoint.new(:b_call) do |tp|
  if tp.binding.local_variables.first(3) == %i[a b c]
    seen << %i[a b c].map { |name| tp.binding.local_variable_get(name) }
  end
end
pair = proc { |a, (b, c)| b }
enter.enable { pair.call(1, [2, 3]) }
seen # => [[1, 2, 3]]
seen.clear
lambda = ->(a, b = (a + 1), c: b) { [1].each { |_| c } }
enter.enable { lambda.(4) }
seen.first # => [4, 5, 5]

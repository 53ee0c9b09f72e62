# `new` and the `initialize` that it calls are two methods to who traces, and an alias has its own name.

def traced(*events)
  seen = []
  trace = TracePoint.new(*events) do |tp|
    next unless tp.path == __FILE__ && tp.method_id != :disable
    seen << [tp.event, tp.method_id, tp.callee_id, tp.lineno - __LINE__]
  end
  trace.enable
  yield
  trace.disable
  seen
end

class Plain
end
class Made
  def initialize(a) = @a = a
end
class Failing
  def initialize = raise("no")
end

def shown(list) = list.map { |event, id, callee, _| [event, id, *(callee unless callee == id)] }

shown(traced(:c_call, :c_return) { Plain.new }) # => [[:c_call, :new], [:c_call, :initialize], [:c_return, :initialize], [:c_return, :new]]
shown(traced(:call, :return, :c_call, :c_return) { Made.new(1) }) # => [[:c_call, :new], [:call, :initialize], [:return, :initialize], [:c_return, :new]]
shown(traced(:call, :return, :c_call, :c_return) { Failing.new rescue 0 }.reject { |e| %i[raise exception backtrace === initialize].include?(e[1]) && e[0] in :c_call | :c_return }) # => [[:c_call, :new], [:call, :initialize], [:return, :initialize], [:c_return, :new]]
lines = traced(:call, :c_return) { Made.new(1) }
lines.map { |_, id, _, line| [id, line] }.uniq.size # => 2
made = nil
values = []
trace = TracePoint.new(:c_return) { |tp| values << tp.return_value if tp.method_id == :new }
trace.enable { made = Made.new(1) }
values == [made] # => true
selves = []
trace = TracePoint.new(:c_call, :c_return) { |tp| selves << tp.self if tp.method_id == :new }
trace.enable { Made.new(1) }
selves # => [Made, Made]

class Accessors
  attr_accessor :x
  alias y x
  alias y= x=
end
object = Accessors.new
writer, reader = object.method(:y=), object.method(:y)
shown(traced(:c_call, :c_return) { writer.call(1); reader.call }.reject { |e| e[1] == :call }) # => [[:c_call, :x=, :y=], [:c_return, :x=, :y=], [:c_call, :x, :y], [:c_return, :x, :y]]
shown(traced(:c_call, :c_return) { object.x = 1; object.y }) # => [[:c_call, :x=], [:c_return, :x=], [:c_call, :x, :y], [:c_return, :x, :y]]

# What is missing is called, too, where nobody has defined `method_missing`.
shown(traced(:c_call) { object.none rescue 0 }.select { |e| e[1] == :method_missing }) # => [[:c_call, :method_missing]]

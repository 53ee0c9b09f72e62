# `send` whose name comes when it runs, from compiled code:
# with arguments one by one and out of Arrays, methods that appear, change and are hidden.
class Machine
  def initialize = @log = []
  attr_reader :log
  def none = :none
  def one(a) = [:one, a]
  def two(a, b)
    sum = a + b
    [:two, sum]
  end
  def kept(a) = -> { a }
  def optional(a, b = 2) = [a, b]
  def rest(*list) = list
  def keyed(a, key: 0) = [a, key]
  def with_block(a) = block_given? ? yield(a) : a
  def changed(a) = a
  private def hidden(a) = [:hidden, a]
  def splat(list) = send(*list)
  def given(name, a) = send(name, a)
  def two_given(name, a, b) = __send__(name, a, b)
  def of(other, list) = other.send(*list)
  def method_missing(name, *arguments) = name == :absent ? [:missing, arguments] : super
  def respond_to_missing?(name, all = false) = name == :absent
end
machine = Machine.new
10.times.map { [machine.splat([:none]), machine.splat([:one, 1]), machine.splat([:two, 1, 2]), machine.given(:one, 3), machine.two_given(:two, 3, 4)] }.uniq # => [[:none, [:one, 1], [:two, 3], [:one, 3], [:two, 7]]]
10.times.map { |i| machine.given(:kept, i).call }.sum # => 45
10.times.map { [machine.splat([:optional, 1]), machine.splat([:optional, 1, 3]), machine.splat([:rest, 1, 2, 3]), machine.splat([:keyed, 1]), machine.given(:with_block, 5)] }.uniq # => [[[1, 2], [1, 3], [1, 2, 3], [1, 0], 5]]
10.times.map { [machine.splat([:hidden, 1]), machine.of(machine, [:hidden, 2]), machine.splat(["one", 1]), machine.given("two", 1)] rescue $!.message }.uniq # => ["wrong number of arguments (given 1, expected 2)"]
10.times.map { [machine.splat([:hidden, 1]), machine.of(machine, [:hidden, 2]), machine.splat(["one", 1])] }.uniq # => [[[:hidden, 1], [:hidden, 2], [:one, 1]]]
10.times.map { machine.splat([:absent, 1, 2]) }.uniq # => [[:missing, [1, 2]]]
machine.splat([:unknown]) # raises NoMethodError: undefined method 'unknown' for an instance of Machine
machine.splat([]) # raises ArgumentError: no method name given
machine.splat([1, 2]) # raises TypeError: 1 is not a symbol nor a string
machine.splat([:one]) # raises ArgumentError: wrong number of arguments (given 0, expected 1)
machine.splat([:two, 1, "2"]) # raises TypeError: String can't be coerced into Integer
10.times.map { |i| class Machine; define_method(:changed) { |a| a * 2 }; end if i == 5; machine.given(:changed, 1) }.tally # => {1 => 5, 2 => 5}
module Before
  def one(a) = [:before, super]
end
10.times.map { |i| Machine.prepend(Before) if i == 5; machine.splat([:one, 1]) }.tally # => {[:one, 1] => 5, [:before, [:one, 1]] => 5}
other = Machine.new
10.times.map { |i| other.extend(Module.new { def none = :extended }) if i == 5; [machine.splat([:none]), other.splat([:none])] }.tally # => {[:none, :none] => 5, [:none, :extended] => 5}

# Keywords that an Array carries stay keywords.
class Machine
  ruby2_keywords def passes(*list) = splat(list)
end
10.times.map { machine.passes(:keyed, 1, key: 7) }.uniq # => [[1, 7]]
10.times.map { machine.splat([:keyed, 1, { key: 7 }]) rescue $!.class }.uniq # => [ArgumentError]

# Exceptions, and a redefined send.
class Machine
  def fails(a) = raise(a)
  def saved(list)
    send(*list)
  rescue => error
    [error.message, error.backtrace_locations.first.label]
  end
end
10.times.map { machine.saved([:fails, "no"]) }.uniq # => [["no", "Machine#fails"]]
class Machine
  def send(*list) = [:own, *list]
end
10.times.map { [machine.splat([:one, 1]), machine.two_given(:two, 1, 2)] }.uniq # => [[[:own, :one, 1], [:two, 3]]]

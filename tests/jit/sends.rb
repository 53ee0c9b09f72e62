# `send`, `__send__` and `public_send` with literal names.
# flags: --jit-threshold=2

def repeated(n = 12) = Array.new(n) { yield it }

class Answers
  attr_accessor :x
  def initialize = @x = 5
  def zero = :zero
  def one(a) = a + x
  def two(a, b = a * 2) = [a, b]
  def keyed(a, b: 1) = [a, b]
  def rest(*all) = all
  def block(a) = yield(a)
  def given = block_given?
  define_method(:body) { |a| a * x }
  private def hidden(a) = [:hidden, a]
  protected def guarded = :guarded
  private attr_reader :y
end

def sent(o, i)
  [o.send(:zero), o.send(:one, i), o.__send__(:two, i), o.send(:two, i, 0), o.send(:x), o.send(:x=, i), o.x,
   o.send(:body, i), o.send(:hidden, i),
   o.send(:guarded), o.send(:y), o.send(:class), o.public_send(:one, i), o.public_send(:zero), o.send(:given),
   o.send(:given) { 1 }, o.send("zero")]
end
repeated { sent(Answers.new, it) }.last # => [:zero, 16, [11, 22], [11, 0], 5, 11, 11, 121, [:hidden, 11], :guarded, nil, Answers, 22, :zero, false, true, :zero]
def complex(o, i)
  [o.send(:keyed, i), o.send(:keyed, i, b: 2), o.send(:rest, i, *[1, 2]), o.send(*[:one, i]),
   o.send(:block, i) { |a| a + 1 }, o.send(:rest)]
end
repeated { complex(Answers.new, it) }.last # => [[11, 1], [11, 2], [11, 1, 2], 16, 12, []]
def hidden_from(o) = o.public_send(:hidden, 1)
(repeated { hidden_from(Answers.new) } rescue $!.class) # => NoMethodError
def too_few(o, i) = i < 9 ? 1 : o.send(:one)
(repeated { too_few(Answers.new, it) } rescue $!.message) # => "wrong number of arguments (given 0, expected 1)"
def nothing(o) = o.send
(repeated { nothing(Answers.new) } rescue $!.message) # => "no method name given"
def several(list) = list.map { |o| o.send(:to_s) }
several([1, nil, :a, "b", 2.5, [1], true] * 4).uniq # => ["1", "", "a", "b", "2.5", "[1]", "true"]
def numbers(i)
  [i.send(:+, 1), i.send(:even?), i.send(:succ), i.__send__(:<=>, 3), i.public_send(:-, 1), i.send(:itself)]
end
repeated { numbers(it) }.last # => [12, false, 12, 1, 10, 11]
numbers(2**62 - 1) # => [4611686018427387904, false, 4611686018427387904, 1, 4611686018427387902, 4611686018427387903]
def accessor(list) = list.map { |o| o.send(:x) }
odd = Answers.new
odd.instance_variable_set(:@z, 1)
frozen = Answers.new.freeze
class Bare < Answers; def initialize; end; end
accessor([Answers.new, odd, frozen, Bare.new] * 6).uniq # => [5, nil]
def assigned(o, i) = o.send(:x=, i)
(repeated { assigned(it < 9 ? Answers.new : frozen, it) } rescue $!.class) # => FrozenError
def chosen(o, flag) = o.send(flag ? :zero : :x)
repeated { chosen(Answers.new, it.even?) }.uniq # => [:zero, 5]
def nested(o, i) = o.send(:two, o.send(:one, i), o.send(:one, o.send(:x)))
repeated { nested(Answers.new, it) }.last # => [16, 10]

def missing(o, i) = i < 9 ? o.send(:zero) : o.send(:not_there, i)
(repeated { missing(Answers.new, it) } rescue $!.message[/.*'/]) # => "undefined method 'not_there'"
class Answers
  def method_missing(name, *args) = name == :not_there ? [:missing, *args] : super
  def respond_to_missing?(...) = true
end
repeated { missing(Answers.new, it) }.last # => [:missing, 11]
def redefined(o, n)
  list = []
  i = 0
  while i < n
    list << o.send(:zero)
    Answers.class_eval { def zero = :changed } if i == 4
    Answers.class_eval { def send(name) = [:own, name] } if i == 6
    i += 1
  end
  list
end
redefined(Answers.new, 9) # => [:zero, :zero, :zero, :zero, :zero, :changed, :changed, [:own, :zero], [:own, :zero]]
Answers.send(:remove_method, :send)
def backtrace(o, i)
  o.send(:raises, i)
rescue => e
  e.backtrace_locations.first(2).map(&:label)
end
class Answers
  def raises(i) = i > 5 ? raise("a") : [i]
end
repeated(8) { backtrace(Answers.new, it) }.last # => ["Answers#raises", "Object#backtrace"]
class Answers
  def who = caller_locations(1, 1)[0].label
  def this = [__method__, __callee__]
end
def labels(o) = [o.send(:who), o.send(:this)]
repeated { labels(Answers.new) }.uniq # => [["Object#labels", [:this, :this]]]

module Refines
  refine(Answers) { def zero = :refined }
end
module Uses
  def self.before(o) = o.send(:zero)
  repeated_before = Array.new(9) { before(Answers.new) }
  BEFORE = repeated_before.uniq
  using Refines
  def self.after(o) = o.send(:zero)
  AFTER = Array.new(9) { [before(Answers.new), after(Answers.new), Answers.new.respond_to?(:zero)] }.uniq
end
[Uses::BEFORE, Uses::AFTER] # => [[:changed], [[:changed, :refined, true]]]

# Interpolation of symbols, true, false and nil, and `[a, b].max`, which compiled code does without the calls,
# and what they do when methods change.
def text(value) = "<#{value}|#{value}>"
def alone(value) = "#{value}"
def symbol(value) = :"s_#{value}"
def pattern(value) = /a#{value}z/
def command(value) = `echo #{value} #{value}`
values = [nil, true, false, :name, :"with space", :"größe", 12, "text", 1.5, [1]]
values.map { |value| Array.new(8) { text(value) }.uniq } # => [["<|>"], ["<true|true>"], ["<false|false>"], ["<name|name>"], ["<with space|with space>"], ["<größe|größe>"], ["<12|12>"], ["<text|text>"], ["<1.5|1.5>"], ["<[1]|[1]>"]]
values.map { |value| Array.new(8) { alone(value) }.uniq.map { |text| [text, text.encoding.name] } }.flatten(1).map(&:last).uniq # => ["UTF-8"]
values.map { |value| Array.new(8) { symbol(value) }.uniq } # => [[:s_], [:s_true], [:s_false], [:s_name], [:"s_with space"], [:s_größe], [:s_12], [:s_text], [:"s_1.5"], [:"s_[1]"]]
[nil, :b, true].map { |value| Array.new(8) { pattern(value).source }.uniq } # => [["az"], ["abz"], ["atruez"]]
[nil, :b].map { |value| Array.new(8) { command(value) }.uniq } # => [["\n"], ["b b\n"]]
def nested(value) = "a#{"b#{value}c#{"#{value}"}"}d"
[nil, :x].map { |value| Array.new(8) { nested(value) }.uniq } # => [["abcd"], ["abxcxd"]]
def leaves(value, other) = "#{value}#{other.call}#{value}"
Array.new(8) { leaves(:x, -> { 1 }) }.uniq # => ["x1x"]
leaves(:x, -> { raise "out" }) # raises RuntimeError: out
leaves(:x, -> { GC.start; "o" }) # => "xox"
def mixed(first) = "#{first}é"
[:"\u00e9", :a].map { |value| mixed(value) } # => ["éé", "aé"]
mixed("\xE9".dup.force_encoding("ISO-8859-1").to_sym) # raises Encoding::CompatibilityError: incompatible character encodings: ISO-8859-1 and UTF-8
def changes(value) = "-#{value}-"
Array.new(8) { changes(nil) }.uniq # => ["--"]
class NilClass
  alias old_to_s to_s
  def to_s = "nothing"
end
Array.new(8) { changes(nil) }.uniq # => ["-nothing-"]
class NilClass
  def to_s = old_to_s
end
Array.new(8) { changes(nil) }.uniq # => ["--"]
class Symbol
  def to_s = "symbol #{name}"
end
Array.new(8) { changes(:x) }.uniq # => ["-symbol x-"]
class Symbol
  remove_method :to_s
  def to_s = name
end

def greater(a, b) = [a, b].max
def lesser(a, b)
  value = [a, b].min
  value
end
Array.new(8) { |i| [greater(i, 4), lesser(i, 4)] } # => [[4, 0], [4, 1], [4, 2], [4, 3], [4, 4], [5, 4], [6, 4], [7, 4]]
[greater(-1, -2), lesser(-1, -2), greater(1, 2.5), lesser(2**70, 3), greater("a", "b"), greater(2**70, 2**71) == 2**71] # => [-1, -2, 2.5, 3, "b", true]
[-> { greater(1, nil) }, -> { lesser(1, "a") }].map { |call| call.call rescue $!.class } # => [ArgumentError, ArgumentError]
def ternary(a, b, c) = [a ? b : c, c].max * 2
Array.new(8) { |i| ternary(i.odd?, i, 3) } # => [6, 6, 6, 6, 6, 10, 6, 14]
class Integer
  alias old_cmp <=>
  def <=>(other) = -old_cmp(other)
end
[greater(1, 2), lesser(1, 2)] # => [1, 2]
class Integer
  alias <=> old_cmp
end
class Array
  def max = :mine
end
Array.new(8) { greater(1, 2) }.uniq # => [:mine]
class Array
  remove_method :max
  def max = first
end
Array.new(8) { greater(1, 2) }.uniq # => [1]

# `===` of classes, whose instances are of classes below them, with modules between.
class Base; end
class Under < Base; end
module Between; end
class Lowest < Under
  include Between
end
module First; end
class Fronted < Base
  prepend First
end
def kind(value)
  case value
  when Fronted then :fronted
  when Under then :under
  when Base then :base
  when Comparable then :comparable
  when Between then :between
  end
end
objects = [Base.new, Under.new, Lowest.new, Fronted.new, Object.new.extend(Between), 1, "", nil, Base]
Array.new(8) { objects.map { |object| kind(object) } }.uniq # => [[:base, :under, :under, :fronted, :between, :comparable, :comparable, nil, nil]]
single = Lowest.new
def single.x = 1
[kind(single), Lowest === single, single.singleton_class === single, Class === Base, Module === Base, Base === Base, First === Fronted.new, Fronted === Class.new(Fronted).new] # => [:under, true, true, true, true, false, true, true]
Array.new(8) { |i| Under.include(Module.new) if i == 4; Lowest.prepend(Module.new) if i == 5; [Base === single, Under === single, Lowest === single, Fronted === single] }.uniq # => [[true, true, true, false]]
[Class.allocate === 1, 1.is_a?(BasicObject), (1.is_a?(3) rescue $!.message)] # => [false, true, "class or module required"]

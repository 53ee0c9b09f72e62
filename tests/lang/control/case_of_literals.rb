# `case` over literals, with subjects of every kind and operators of the program's own.

def kind(x)
  case x
  when :sym then 1
  when "str", "other" then 2
  when 3 then 3
  when 4.5 then 4
  when nil then 5
  when true, false then 6
  when 12345678901234567890 then 7
  when 3r then 8
  else 0
  end
end

[:sym, "str", "other", 3, 3.0, 4.5, nil, true, false, 12345678901234567890, 6r / 2, 3i, Object.new, [], :other].map { kind(it) } # => [1, 2, 2, 3, 3, 4, 5, 6, 6, 7, 3, 0, 0, 0, 0]

class Text < String; end
class Says
  def ==(other) = other == 3
end
class Converts
  def to_str = "str"
  def ==(other) = true
end
[Text.new("str"), Says.new, Converts.new].map { kind(it) } # => [2, 3, 2]

# Integer, String, Symbol and nil of a program decide for themselves.
class Integer
  alias old_case ===
  def ===(other) = other == "three" || old_case(other)
end
[kind("three"), kind(3), kind(:sym), kind(4)] # => [3, 3, 1, 0]
class Symbol
  def ===(other) = other == "sym"
end
[kind("sym"), kind(:sym)] # => [1, 0]
class NilClass
  def ===(other) = other == :none
end
[kind(:none), kind(nil)] # => [5, 0]
class String
  alias old_case ===
  def ===(other) = other == [] || old_case(other)
end
[kind([]), kind("str")] # => [2, 2]

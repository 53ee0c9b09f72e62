# `when` with literals that are compared by identity, and what redefines them.
def pick(value)
  case value
  when "text" then :text
  when true then :yes
  when false then :no
  when :sym then :symbol
  when 6 then :six
  when nil then :nothing
  when 0.5 then :half
  else :other
  end
end
["text", true, false, :sym, 6, nil, 0.5, 6.0, "sym", [], Object.new, 1 << 70].map { |value| pick(value) } # => [:text, :yes, :no, :symbol, :six, :nothing, :half, :six, :other, :other, :other, :other]

class Six
  def ==(other) = other == 6
end
pick(Six.new) # => :six
(:a == :a) && !(:a == :b) && :a != "a" && !(nil == false) && nil != false && true == true # => true

class Symbol
  def ===(other) = other == "sym" || super
end
pick("sym") # => :symbol
class NilClass
  def ==(other) = true
end
(nil == 5) # => true

# The bounds of a range are converted before the length is read: the conversion may have changed it.
class Clearing
  def initialize(owner, number = 1)
    @owner, @number = owner, number
  end

  def to_int = (@owner.clear; @number)
  def <=>(other) = 0
end

def clearing(owner) = Clearing.new(owner, 0)..Clearing.new(owner)

a = [1, 2, 3, 4]
a[Clearing.new(a)..] # => nil
a = [1, 2, 3, 4]
a[clearing(a)] # => []
a = [1, 2, 3, 4]
a.slice!(Clearing.new(a)..) # => nil
a = [1, 2, 3, 4]
a.slice!(clearing(a)) # => []
a = [1, 2, 3, 4]
a.fill(0, Clearing.new(a)..) # => [nil, 0, 0, 0]
a = [1, 2, 3, 4]
a[Clearing.new(a)..] = 5
a # => [nil, 5]
a = [1, 2, 3, 4]
a.fill(0, (2**62)..(-2**63)) # raises ArgumentError: argument too big
s = +"hello"
s.byteslice(clearing(s)) # => ""
s = +"hello"
s.byteslice(Clearing.new(s)..) # => nil
s = +"hello"
s[clearing(s)] # => ""
s = +"hello"
s[Clearing.new(s)..] # => nil
s = +"hello"
s.slice!(clearing(s)) # => ""
s = +"hello"
(s[clearing(s)] = "x") # => "x"
s # => "x"

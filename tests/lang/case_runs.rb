# Runs of literals in `case` are looked up at once: they lead where one comparison after the other would.
def number(n)
  case n
  when 0 then :zero
  when 1, 2, 3 then :few
  when 10, 11 then :more
  when 3, 12 then :again
  when -5 then :negative
  when 1 << 70 then :never
  when 4611686018427387903 then :largest
  when 4611686018427387904 then :big
  when 7 then :late
  else :none
  end
end

def everything
  [0, 1, 2, 3, 10, 11, 12, -5, 4611686018427387903, 4611686018427387904, 7, 8, -1, 1.0, 3.0, 3.5, nil, :a, "1", 3r,
   Complex(2, 0), Object.new]
end

EXPECTED = %i[zero few few few more more again negative largest big late none none few few none none none none few few
              none]
10.times.all? { everything.map { number(it) } == EXPECTED } # => true

def symbol(name)
  case name
  when :a then 1
  when :b, :c then 2
  when nil then 3
  when true then 4
  when :d then 5
  when 5 then 6
  end
end
[:a, :b, :c, nil, true, :d, 5, false, :x, "a", 5.0, 1].map { symbol(it) } # => [1, 2, 2, 3, 4, 5, 6, nil, nil, nil, 6, nil]

def text(string)
  case string
  when "alpha" then 1
  when "beta", "gamma" then 2
  when "delta" then 3
  when "" then 4
  when "épsilon" then 5
  when :alpha then 6
  when "zeta" then 7
  when "eta" then 8
  when "theta" then 9
  when "iota" then 10
  when "kappa", 3 then 11
  else 0
  end
end
WORDS = ["alpha", "beta", "gamma", "delta", "", "épsilon", :alpha, "zeta", "eta", "theta", "iota", "kappa", 3, 3.0,
         "alph", "ALPHA", nil,
         "alpha".encode("UTF-16LE"), "alpha".b, "épsilon".b, "alpha".encode("EUC-JP"), Class.new(String).new("beta")]
20.times.map { WORDS.map { text(it) } }.uniq # => [[1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 11, 0, 0, 0, 0, 1, 0, 1, 2]]

# Values whose own methods decide are asked, in the order of the clauses.
class Any
  attr_reader :asked
  def initialize = @asked = []
  def ==(other) = (@asked << other; other == 4)
  def to_str = "never"
end
def several(value)
  case value
  when 1 then :one
  when 2 then :two
  when 3 then :three
  when 4 then :four
  when 5 then :five
  when Integer then :integer
  when 6, 7, 8, 9, 10, 11 then :unreached
  when /x/, *[:x, :y] then :other
  end
end
any = Any.new
several(any) # => :four
any.asked # => [1, 2, 3, 4]
[1, 5, 6, 11, 12, "x", :y, nil].map { several(it) } # => [:one, :five, :integer, :integer, :integer, :other, :other, nil]

# The value of the subject is computed once, and clauses fall out of loops.
calls = 0
subject = -> { calls += 1; :c }
found = loop do
  case subject.()
  when :a then next
  when :b then break 1
  when :c then break 2
  when :d then redo
  when :e then break 4
  end
end
[found, calls] # => [2, 1]

# States of a machine: each is known only after others have run for long.
def run(input)
  state, out = 0, []
  input.each do |symbol|
    state = case state
            when 0 then symbol == :go ? 1 : 0
            when 1 then out << :one; 2
            when 2 then symbol == :skip ? 5 : 3
            when 3 then out << :three; 4
            when 4 then 6
            when 5 then out << :five; 0
            when 6 then out << :six; 0
            end
  end
  out
end
run([:wait] * 3 + [:go] + [:on] * 5) # => [:one, :three, :six]
run([:go, :on] * 300).tally # => {one: 100, three: 100, six: 100}
run([:go, :on, :skip, :x]) # => [:one, :five]

# Operators that a program defines are called.
class Integer
  alias plain === 
  def ===(other) = other == :magic || plain(other)
end
number(:magic) # => :zero
number(11) # => :more
class Integer
  alias === plain
end
number(:magic) # => :none

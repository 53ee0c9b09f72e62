# A binding that is made under another name shows what every local of compiled code holds, also those that nothing reads
# any more.
module Kernel
  alias seen_from_here binding
end

def shown(binding) = binding.local_variables.to_h { |name| [name, binding.local_variable_get(name)] }
def rounds(&block) = Array.new(6, &block).uniq

# Straight code, and a local that is given anew.
def straight(number)
  first = number + 5
  second = first + 1
  list = [second]
  first = first * 2.5
  taken = seen_from_here
  list.first + shown(taken).size
  shown(taken).except(:taken)
end
rounds { straight(1) } # => [{number: 1, first: 15.0, second: 7, list: [7]}]

# What a loop leaves behind, beside branches that write or do not.
def looped(count)
  i = 0
  while i < count
    double = i * 2
    half = i / 2.0
    if i.odd?
      odd = i
    else
      even = i
    end
    i += 1
  end
  shown(seen_from_here)
end
rounds { looped(5) } # => [{count: 5, i: 5, double: 8, half: 2.0, odd: 3, even: 4}]

# In inlined methods and blocks the frames around hold theirs, too.
def around(number)
  before = number + 1
  copy = before
  found = nil
  2.times do |i|
    inner = i + copy
    last = inner * 2
    found = look if last > 0
    inner = nil
  end
  found
end
def look = here(3)
def here(given)
  passed = given
  passed += 1
  shown(seen_from_here)
end
rounds { around(1) } # => [{given: 3, passed: 4}]

def of_block(number)
  unused = number + 1
  [number].each do |element|
    kept = element + 1
    gone = kept + 1
    return shown(seen_from_here)
  end
end
rounds { of_block(1) } # => [{element: 1, kept: 2, gone: 3, number: 1, unused: 2}]

# After an exception, and at an exit out of compiled code in the middle.
def raised(text)
  length = text.size
  twice = length * 2
  Integer(text)
rescue ArgumentError
  shown(seen_from_here)
end
rounds { raised("abc") } # => [{text: "abc", length: 3, twice: 6}]

class Shows
  def initialize(test) = @test = test
  def +(_other) = @test.shown(@test.seen_from_here)
end
public :shown, :seen_from_here
def left_at(value, number)
  product = number * 3
  other = product
  value + number
end
100.times { left_at(1, 2) }
left_at(3.5, 2) # => 5.5
left_at(Shows.new(self), 2).keys - [:test, :_other] # => []

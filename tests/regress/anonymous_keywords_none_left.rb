# All keywords of a call go to parameters: `**` passes nothing on, whatever the registers of earlier calls held there.
def received(**keywords) = keywords
def spoil(a, b, c, d, e, f) = [a, b, c, d, e, f].size
def passed(wait: 1, error: String, **) = received(**)
def passed_from_block(wait: 1, error: String, **) = [1].map { received(**) }.first
def behind_positional(first, wait: 1, **) = [first, received(wait:, **)]
def shown(wait: 1, **) = binding.local_variables

def tried(x)
  spoil(1, "two", :three, 4.0, [5], 6)
  [passed(wait: x), passed(wait: x, error: false), passed_from_block(wait: x, error: nil),
   behind_positional(x, wait: 2)]
end

3.times.map { tried(it) }.uniq.map { |list| list.take(3) }.uniq # => [[{}, {}, {}]]
tried(7).last # => [7, {wait: 2}]
spoil(1, 2, 3, 4, 5, 6)
[passed(wait: 1, other: 2), passed_from_block(other: 2), passed] # => [{other: 2}, {other: 2}, {}]
shown(wait: 1) # => [:wait]

# Work on large values gives the results that it gives on small ones,
# and ends when its thread is killed or its time is over.
require "timeout"

text = "h\u00e9\u0001z " * 60_000
part = "h\u00e9\u0001z "
same = [
  text.reverse == part.reverse * 60_000,
  text.upcase == part.upcase * 60_000,
  text.dup.swapcase! == part.swapcase * 60_000,
  text.inspect[1..-2] == part.inspect[1..-2] * 60_000,
  text.dump[1..-2] == part.dump[1..-2] * 60_000,
  ("z" * 200_000).succ == "a" * 200_001,
  (" " * 200_000).succ == " " * 199_999 + "!",
]
same.uniq # => [true]
("ab" * 100_000 + "x" + "ba" * 100_000).strip("ab") # => "x"
"frozen".freeze.then { |frozen| frozen.upcase! rescue $!.class } # => FrozenError

numbers = (1..100_000).to_a
numbers.reverse == numbers.sort_by { -_1 } # => true
Array.new(100_001, 7).tally # => {7 => 100001}
numbers.dup.fill(3, 5, 99_990).tally.max_by { _2 } # => [3, 99991]

ended = File.open("/dev/zero") do |zero|
  [-> { zero.read(1 << 29) }, -> { zero.gets("x") }].map do |endless|
    Timeout.timeout(0.01) { endless.call } rescue $!.class
  end
end
ended # => [Timeout::Error, Timeout::Error]

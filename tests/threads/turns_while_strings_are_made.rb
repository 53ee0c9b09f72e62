# Making a long string, or a list of a string's bytes, ends when its time is up, and what is made is whole.
# timeout: 60
require "timeout"

def ended = Timeout.timeout(0.05) { loop { yield } } rescue Timeout::Error

ended { "abc" * 100_000_000 } # => Timeout::Error
text = "hello, " * 2_000_000
ended { text.bytes } # => Timeout::Error
t0 = Process.clock_gettime(Process::CLOCK_MONOTONIC)
ended { ("x" * 3_000_001) * 100 } # => Timeout::Error
Process.clock_gettime(Process::CLOCK_MONOTONIC) - t0 < 4 # => true

[1, 3, 7, 1000, 65_536, 700_000, 1_048_575, 1_048_576, 1_048_577, 2_500_000].each do |size|
  unit = Random.new(size).bytes(size)
  [0, 1, 2, 3, 1_048_576 / size, 1_048_576 / size + 1, 2_300_000 / size + 1].uniq.each do |times|
    all = unit * times
    all.size == size * times && all == ([unit] * times).join && all.encoding == Encoding::BINARY or
      raise "#{size} * #{times}"
  end
end
wide = "жу" * 600_000
[wide.encoding, wide.size, wide.valid_encoding?, wide.ascii_only?, wide[-3..]] # => [#<Encoding:UTF-8>, 1200000, true, false, "ужу"]
bytes = text.bytes
[bytes.size, bytes.sum == text.sum(64), bytes.last(3)] # => [14000000, true, [111, 44, 32]]

# Another thread changes the string meanwhile.
changing = +"ab" * 500_000
worker = Thread.new { 200.times { changing.replace("z"); Thread.pass; changing.replace("ab" * 500_000) } }
20.times do
  list = changing.bytes
  [1, 1_000_000].include?(list.size) && list.compact.uniq.size == [list.size, 2].min or raise
end
20.times { made = changing * 3; made.squeeze("z") == "z" || made == "ab" * 1_500_000 or raise }
worker.join.alive? # => false

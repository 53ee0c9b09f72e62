# Searches from the end of long texts go on in pieces, outside the lock, and end where an interrupt asks for it.
require "timeout"
text = "ab" * 1_500_000
places = [0, 1, 131_072, 1_048_575, 1_048_576, 1_048_577, 2_097_150, 2_097_152, 2_999_996]
places.map { |at| t = text.dup; t[at, 3] = "xyz"; [t.rindex("xyz") == at, t.byterindex("xyz") == at, t.rindex("xyz", at) == at, at == 0 || t.rindex("xyz", at - 1)] }.uniq # => [[true, true, true, true], [true, true, true, nil]]
text.rindex("xyz") # => nil
text.rindex("ab") # => 2999998
text.rindex("ba", -1_000_000) # => 1999999
text.rindex("ab", 200_001) # => 200000
text.byterindex("b", 2_000_000) # => 1999999
text.rindex("") # => 3000000
text.rindex(text) # => 0
text.rindex(text + "a") # => nil
text.rindex("é") # => nil
text.encode("UTF-16LE").rindex("a".encode("UTF-16LE")) # => 2999998
# The text may change while it is searched.
long = "ab" * 3_000_000
searches = 4.times.map { Thread.new { 20.times.map { long.rindex("aa") } } }
50.times { long[rand(1000), 1] = "b"; Thread.pass }
searches.flat_map(&:value).uniq # => [nil]
begin
  Timeout.timeout(0.2) { long.rindex("aa") while true }
rescue Timeout::Error
  :ended # => :ended
end

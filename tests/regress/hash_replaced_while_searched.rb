# A key's `eql?` replaces the Hash that is searched by a much smaller one: the search begins anew in that.
class Key
  def initialize(number) = @number = number
  def hash = @number

  def eql?(_other)
    $hash.replace($small) if $replaces
    $replaces = false
    false
  end
end

def keyed(count) = Array.new(count) { |i| [Key.new(i * 1_000_003), i] }.to_h

big = keyed(2_000)
$small = keyed(9).dup
found = (0...2_000).step(40).map do |i|
  $hash = big.dup
  $replaces = true
  [$hash[Key.new(i * 1_000_003)], $hash.size]
end
found.uniq # => [[nil, 9]]

# The same by rehash, which makes a new table, too.
found = (0...200).step(40).map do |i|
  $hash = big.dup
  key = Key.new(i * 1_000_003)
  again = true
  key.define_singleton_method(:eql?) { |_| $hash.rehash if again; again = false }
  $hash[key]
end
found.uniq # => [nil]

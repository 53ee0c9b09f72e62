# What is stored into Arrays and Hashes that are old and long lives, however few or many are stored,
# and wherever it is moved afterwards.
array = Array.new(100_000) { |i| "old #{i}" }
table = array.to_h { |text| [text, text] }
4.times { GC.start }

def make_garbage = 60_000.times { |i| "garbage #{i}" + "!" }

[10, 1000, 60_000].each do |count|
  places = Array.new(count) { |i| (i * 7919) % array.size }
  places.each_with_index { |at, i| array[at] = "new #{at}" }
  places.each { |at| table["old #{at}"] = ["value #{at}"] }
  count.times { |i| array.push("pushed #{i}") }
  make_garbage
  GC.start(full_mark: false)
  make_garbage
  raise "lost" unless places.all? { |at| array[at] == "new #{at}" && table["old #{at}"] == ["value #{at}"] }
  raise "lost" unless array.pop(count) == Array.new(count) { |i| "pushed #{i}" }
end
array.size # => 100000

# Moved within the array, to another one and back before a collection.
array[5] = "moved"
array.rotate!(4)
other = array.dup
array.reverse!
make_garbage
array.index("moved") # => 99998
other[1] # => "moved"

# What was stored and forgotten goes with the next full collection.
class Forgotten; end
def forget(array) = 100.times { |i| array[i] = Forgotten.new; array[i] = nil }
forget(array)
make_garbage
8.times { GC.start }
ObjectSpace.each_object(Forgotten).count < 10 # => true

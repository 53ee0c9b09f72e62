# Generated object graphs survive a round trip; fixtures/graphs.rb compares two Rubies with each other.
require_relative "fixtures/graphs"
dumps = Graphs.dumps(150, 7)
again = Graphs.again(dumps)
dumps.each_index.count { |i| dumps[i] == again[i] } > 75 # => true
Graphs.again(again) == again # => true
dumps.sum(&:bytesize) # => 331634
checksum = ->(list) { list.join.sum(64) }
checksum[dumps] # => 29089429
checksum[again] # => 29163304

# A hash that has lost all its entries gives their memory back, and goes on.

require "objspace"

hash = {}
1000.times { hash[it] = true }
full = ObjectSpace.memsize_of(hash)
1000.times { hash.delete(it) }
ObjectSpace.memsize_of(hash) < full / 10 # => true
hash # => {}
1000.times { hash[it] = true }
1000.times { hash.shift }
hash[:a] = 1
hash # => {a: 1}

# Not while somebody walks along it.
100.times { hash[it] = true }
seen = []
hash.each { |key, _| hash.delete(key); seen << key }
[seen.size, hash] # => [101, {}]
hash[:b] = 2
hash # => {b: 2}

# A `hash` of the program that leads back to its own object through a new Array each time.
node = Struct.new(:other) { def hash = [other, ""].hash }
a, b = node.new, node.new
a.other, b.other = b, a
a.hash.class # => Integer
a.hash == b.hash # => true
list = Class.new(Array) { def hash = super }
[list[1, 2]].hash == [list[1, 2]].hash # => true
[list[1, 2]].hash == [list[1, 3]].hash # => false

# Procs of one literal are told apart by where they were made.
Array.new(100) { proc {} }.map(&:hash).uniq.size > 50 # => true
pr = proc {}
pr.hash == pr.dup.hash # => true

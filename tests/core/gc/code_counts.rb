# Code that is garbage counts: evals of much source do not wait for small objects to bring a collection.
source = "x = [1, 2, 3].map { |y| y + 1 }\n" * 2000
before = GC.count
40.times { eval(source) }
GC.count - before > 10 # => true

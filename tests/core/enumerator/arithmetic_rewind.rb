# An arithmetic sequence is rewound as any enumerator; one without a beginning has no first elements.
sequence = 1.step(6, 2)
[sequence.next, sequence.next] # => [1, 3]
sequence.rewind
[sequence.next, sequence.next, sequence.next] # => [1, 3, 5]
sequence.next # raises StopIteration: iteration reached an end
sequence.rewind
sequence.next # => 1
(..10).step(2).first # => nil
(..10).step(2).first(1) # raises TypeError: nil can't be coerced into Integer
ObjectSpace::WeakKeyMap.new[2**128] = 1 # raises ArgumentError: WeakKeyMap keys must be garbage collectable
File.fnmatch("a\0", "a") # raises ArgumentError: string contains null byte
"%c".encode("ASCII") % 1286 # raises RangeError: 1286 out of char range

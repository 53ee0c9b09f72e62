# An enumeration goes on in the thread that began it: elsewhere `next` raises, and its place is kept.
numbers = [1, 2, 3].each
numbers.next # => 1
def elsewhere = Thread.new { yield rescue [$!.class, $!.message] }.value
elsewhere { numbers.next } # => [FiberError, "fiber called across threads"]
elsewhere { numbers.peek } # => [FiberError, "fiber called across threads"]
numbers.next # => 2
elsewhere { numbers.next } # => [FiberError, "fiber called across threads"]
elsewhere { numbers.next } # => [FiberError, "fiber called across threads"]
numbers.next # => 3
numbers.next # raises StopIteration: iteration reached an end
# `rewind` lets another thread begin anew.
elsewhere { numbers.rewind.next } # => 1
numbers.next # raises FiberError: fiber called across threads
# What the enumeration itself raises ends it.
failing = Enumerator.new { |y| y << 1; raise "inside" }
failing.next # => 1
failing.next # raises RuntimeError: inside
failing.next # => 1

# An extension in Rust over rb-sys: strings, arrays, numbers, symbols, types, calls, exits, data, the lock.
# needs: 4.0
# gems: rb_sys
# timeout: 900
require_relative "fixtures/build_rust"
load_rust("rust_gem")

RustGem.reverse("h\u00e9llo") # => "olléh"
RustGem.reverse("long " * 20) == ("long " * 20).reverse # => true
RustGem.reverse(nil) # raises TypeError: cannot be nil
RustGem.sum([1, 2, 3]) # => 6
RustGem.sum([*1..100]) # => 5050
RustGem.sum([2**62, 1]) # => 4611686018427387905
RustGem.sum([2**64]) # raises RangeError
RustGem.squares(4) { |n| n + 1 } # => [1, 2, 5, 10]
RustGem.squares(4) { |n| break n } # => 0
RustGem.half(3) # => 1.5
RustGem.half(1e300) # => 5.0e+299
RustGem.half(2**70) # => 5.902958103587057e+20
RustGem.half("1") # raises TypeError
RustGem.symbol(:abc) # => :abc!
RustGem.symbol(:+) # => :"+!"

values = [1, 2**70, +"a", "b".freeze, [], {}, :a, 1.5, 1e300, nil, 1..2, Object.new, $stdout, RuntimeError.new,
          RustGem::Counter.new, proc {}]
values.first(10).map { RustGem.describe(it) } # => ["fixnum frozen", "bignum frozen", "string", "string frozen", "array", "hash", "symbol frozen", "float frozen", "float frozen", "nil frozen"]
values.drop(10).map { RustGem.describe(it) } # => ["struct frozen", "object", "file", "object", "data", "data"]

RustGem.call(->(x) { x * 2 }, 21) # => 42
RustGem.call(->(x) { raise KeyError, x }, "no") # raises KeyError: no
RustGem.protected(-> { raise KeyError, "k" }) # => ["rescued", KeyError]
RustGem.protected(-> { 5 }) # => 5
$! # => nil

# Outside the lock others run: this thread writes what the other waits for.
reader, writer = IO.pipe
waiting = Thread.new { RustGem.wait_for_byte(reader.fileno) }
writer.write("A")
waiting.value # => 65

counter = RustGem::Counter.new
counter.add("x" * 3) # => 1
counter.add([1, "kept"].dup) # => 2
GC.start
counter.kept # => [1, "kept"]
RustGem.typed?(counter) # => true
RustGem.typed?(Class.new(RustGem::Counter).new) # => true
1000.times { RustGem::Counter.new.add(it.to_s) }
GC.start
counter.add(1) # => 3

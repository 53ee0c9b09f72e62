# A text that takes long because it is nested deeply can be interrupted while its levels are put together.
type = Struct.new("Long#{"g" * 4000}", :part)
nested = nil
2_000.times { nested = type.new(nested) }
main = Thread.current
inside = Object.new
inside.define_singleton_method(:inspect) { Thread.new { sleep 0.05; main.raise(IOError, "enough") }; "inside" }
innermost = nested
innermost = innermost.part while innermost.part
innermost.part = inside
nested.inspect # raises IOError: enough

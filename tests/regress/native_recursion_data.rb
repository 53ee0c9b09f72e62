# flags: -W0
# timeout: 120
# What walks nested data natively ends with a SystemStackError where the stack does, on every kind of stack.
require "json"
require "set"
require "yaml"

Node = Struct.new(:inner)
Point = Data.define(:inner)
class Plain
  attr_accessor :inner
end

DEPTH = 4_000
def nest(depth = DEPTH, &wrap) = depth.times.inject(nil) { |inner, _| wrap.call(inner) }
def arrays = nest { |inner| [inner] }
def hashes = nest { |inner| { a: inner } }
def nodes = nest { |inner| Node.new(inner) }
def points = nest { |inner| Point.new(inner) }
def plain = nest { |inner| Plain.new.tap { |object| object.inner = inner } }

makers = %i[arrays hashes nodes points plain]
walks = %i[inspect hash].product(makers).map { |name, maker| -> { send(maker).send(name) } }
walks += %i[== eql?].product(%i[arrays hashes nodes points])
  .map { |name, maker| -> { send(maker).send(name, send(maker)) } }
walks += makers.map { |maker| -> { Marshal.dump(send(maker)) } }
walks += [
  -> { arrays <=> arrays },
  -> { arrays.join },
  -> { arrays.flatten },
  -> { File.open(File::NULL, "w") { |io| io.puts(arrays) } },
  -> { hashes <= hashes },
  -> { JSON.generate(arrays, max_nesting: 0) },
  -> { JSON.generate(hashes, max_nesting: 0) },
  -> { JSON.parse("[" * DEPTH + "]" * DEPTH, max_nesting: 0) },
  -> { JSON.parse('{"a":' * DEPTH + "1" + "}" * DEPTH, max_nesting: 0) },
  -> { Marshal.load("\x04\x08" + "[\x06" * DEPTH + "0") },
  -> { Marshal.load("\x04\x08" + "{\x06i\x06" * DEPTH + "0") },
  -> { Ractor.make_shareable(arrays) },
  -> { Set[arrays] == Set[arrays] },
  -> { (arrays..nil).hash },
  -> { format("%p", arrays) },
  -> { [arrays].include?(arrays) },
  -> { { arrays => 1 }[arrays] },
]

# The outcomes that are no orderly end: none.
try = lambda do
  walks.map do |walk|
    walk.call
    :done
  rescue SystemStackError
    :too_deep
  rescue Exception => error
    error.class
  end - %i[done too_deep]
end
try.call # => []
Thread.new(&try).value # => []
Fiber.new(&try).resume # => []
Enumerator.new { |y| y << try.call }.next # => []

# Conversion of texts step by step, IO::Buffer and what schedulers get, from C.
require_relative "fixtures/build"
Warning[:experimental] = false
load_c("conversion")

Conversion.prepare({}) # => [0, nil]
Conversion.prepare({ invalid: :replace, undef: :replace, replace: "?" }) # => [34, {replace: "?"}]
Conversion.prepare({ xml: :attr, newline: :crlf }) # => [1118256, nil]
Conversion.prepare({ invalid: 3 }) rescue $!.message # => "unknown value for invalid character option"

Conversion.whole("UTF-8", "ISO-8859-1", {}, "grün") # => "gr\xFCn"
Conversion.whole("UTF-8", "US-ASCII", { undef: :replace, replace: "-" }, "grün") # => "gr-n"
Conversion.whole("UTF-8", "US-ASCII", { xml: :text }, "<ü>") # => "&lt;&#xFC;&gt;"
Conversion.whole("", "", { crlf_newline: true }, "a\nb") # => "a\r\nb"
Conversion.whole("UTF-8", "US-ASCII", {}, "ü") rescue $!.class # => Encoding::UndefinedConversionError
Conversion.whole("UTF-8", "no-such", {}, "u") rescue [$!.class, $!.message] # => [Encoding::ConverterNotFoundError, "code converter not found (UTF-8 to no-such)"]
Conversion.steps("UTF-8", "UTF-16BE", "abc", 4) # => [[2, "\x00a\x00b"], [4, "\x00c"], nil]
Conversion.steps("UTF-8", "UTF-16BE", "a\xFF", 8).map { it.is_a?(Array) ? it : it.class } # => [[0, "\x00a"], Encoding::InvalidByteSequenceError]
Conversion.appended(+"", "aü→") # => ["a\xFC*", "a"]

buffer = IO::Buffer.new(5)
Conversion.write_bytes(buffer, "hello, all") # => 5
buffer.get_string # => "hello"
Conversion.read_bytes(buffer.slice(1, 3)) # => "ell"
Conversion.write_bytes(IO::Buffer.for("frozen"), "x") rescue $!.class # => IO::Buffer::AccessError
Conversion.read_bytes(IO::Buffer.new(0)) rescue $!.class # => IO::Buffer::AllocationError
Conversion.read_bytes("no buffer") rescue $!.class # => TypeError
Conversion.on_own.get_string # => "in memory of C."
Conversion.on_own.slice(3, 6).get_string # => "memory"
Conversion.on_own.external? # => true
Conversion.on_own.set_value(:U8, 0, 1) rescue $!.class # => IO::Buffer::AccessError
Conversion.fresh(100) # => [34, 1, 0, true]
Conversion.unlock(buffer) rescue $!.class # => IO::Buffer::LockedError
IO::Buffer.for(+"text") { |b| Conversion.write_bytes(b, "TEXT"); b.get_string } # => "TEXT"

status = Conversion.status(77, 3 << 8)
[status.pid, status.exitstatus, status.class] # => [77, 3, Process::Status]

# An operation that a scheduler is offered runs on a native thread of C's.
class Offered
  attr_reader :ran

  def block(*) = nil
  def unblock(*) = nil
  def kernel_sleep(*) = nil
  def io_wait(*) = 0
  def close = nil
  def fiber(&body) = Fiber.new(blocking: false, &body).tap(&:resume)
  def fiber_interrupt(*) = nil
  def blocking_operation_wait(work) = @ran = Conversion.run(work)
end
require "zlib"
scheduler = Offered.new
packed = nil
text = "to be packed " * 100_000
Thread.new do
  Fiber.set_scheduler(scheduler)
  Fiber.schedule { packed = Zlib.deflate(text) }
end.join
Zlib.inflate(packed) == text # => true
scheduler.ran # => [0, -1, 0]
Conversion.run("no operation") # => nil

# Sources that nest deeply are parsed on the small stacks of threads and fibers as well.
require "prism"

DEEP = ["(" * 12_000, "[" * 12_000, "!" * 12_000 + "a", "a = " * 12_000 + "1", "if a\n" * 12_000, "-> { " * 12_000,
        "\"\#{" * 12_000, "a ? b : " * 12_000 + "c", "f " * 12_000]
def parsed = DEEP.map { |source| Prism.parse_success?(source) }.size

Thread.new { parsed }.value # => 9
Fiber.new { parsed }.resume # => 9
parsed # => 9
Thread.new { Prism.parse_success?("(" * 1000 + "a" + ")" * 1000) }.value # => true

# Where there is no room for a stack, memory is what is missing: nothing is parsed on a stack that is too small.
require "rbconfig"
code =
  "require 'prism'; begin; Thread.new { Thread.current.report_on_exception = false; Prism.parse_success?('(' * " \
  "200_000) }.value; rescue NoMemoryError; print 'none'; end"
IO.popen([{ "RUBELLITE_STRESS" => nil }, RbConfig.ruby, "-e", code, rlimit_as: 400 << 20, err: %i[child out]], &:read) # => "none"

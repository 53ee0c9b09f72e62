# A formatter for mspec that tells `cargo xtask spec` what happens, example by example, as events between the bytes
# 1 and 2 on standard output: B begins an example, X is an exception (F: expectation not met, E: any other), A ends the
# example, Z ends the run. So the runner knows which example a crash or a time limit interrupted.
require 'mspec/runner/formatters/base'

class RubelliteFormatter
  OUT = STDOUT

  def initialize(_out = nil)
  end

  def register
    [:before, :after, :exception, :finish].each { |event| MSpec.register event, self }
  end

  def exception?
    false
  end

  # mspec loads its helpers late, and knows the boundary between small and large integers by the name of the implementation.
  def self.know_integers
    @known ||= Object.class_eval do
      def fixnum_max = (2**62) - 1
      def fixnum_min = -(2**62)
    end
  end

  def before(state)
    self.class.know_integers
    tell "B", state.description
  end

  def after(_state)
    tell "A"
  end

  def exception(exception)
    tell exception.failure? ? "XF" : "XE", exception.message, "\n", exception.backtrace.to_s.lines.first(3).join
  end

  def finish
    tell "Z"
  end

  private

  # Messages come in any encoding; bytes are all that the reader needs.
  def tell(*parts)
    OUT.write("\x01".b + parts.map { |part| part.b }.join + "\x02".b)
    OUT.flush
  end
end

CUSTOM_MSPEC_FORMATTER = RubelliteFormatter

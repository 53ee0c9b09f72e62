# CRuby's view of source texts, which we do not have, but for whether a text can be compiled.
#
# Loading it succeeds all the same: of the programs that use it, RSpec, irb, rdoc and power_assert require it without being prepared
# for a LoadError, most of them for cases that never come up. What asks for trees or tokens is told by a SyntaxError that
# there are none: RSpec, which shows the lines of a failed expression, and rdoc, which colours them, expect that error of texts
# that they cannot read, and fall back to a plain line. An empty list of tokens, or nil for a text that is right, would be
# taken for an answer.
class Ripper
  # Raised by every method that reads source.
  class Unavailable < SyntaxError
    def initialize(message = "Ripper's trees and tokens are not available") = super
  end

  def self.refuse(*, **) = raise(Unavailable)
  private_class_method :refuse

  class << self
    %i[lex tokenize slice token_match parse].each { |name| alias_method name, :refuse }
    public :lex, :tokenize, :slice, :token_match, :parse

    # nil for a text that is no Ruby, by which programs find out.
    def sexp(source, filename = "-", line = 1, raise_errors: false)
      verbose = $VERBOSE
      source = source.read if source.respond_to?(:read)
      $VERBOSE = nil
      catch(:compiles) { eval("BEGIN { throw :compiles }\n#{source}", TOPLEVEL_BINDING.dup, filename, line - 1) }
      raise Unavailable
    rescue Unavailable
      raise
    rescue SyntaxError
      raise if raise_errors
      nil
    ensure
      $VERBOSE = verbose
    end
    alias sexp_raw sexp
  end

  def initialize(*, **) = raise(Unavailable)
end

# CRuby's view of source texts, which we do not have. What asks for it is told so in a way that it is prepared for: by a SyntaxError,
# after which RSpec shows one line of source instead of a whole expression.
class Ripper
  # Raised by every method that reads source.
  class Unavailable < SyntaxError
    def initialize(message = "Ripper's trees and tokens are not available") = super
  end

  def self.refuse(*, **) = raise(Unavailable)
  private_class_method :refuse

  class << self
    %i[sexp sexp_raw lex tokenize slice token_match parse].each { |name| alias_method name, :refuse }
    public :sexp, :sexp_raw, :lex, :tokenize, :slice, :token_match, :parse
  end

  def initialize(*, **) = raise(Unavailable)
end

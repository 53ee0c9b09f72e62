# needs: 4.0
require "ripper"
require "stringio"
Ripper.sexp("1") # raises Ripper::Unavailable: Ripper's trees and tokens are not available
Ripper.lex("1") # raises Ripper::Unavailable: Ripper's trees and tokens are not available
Ripper::Unavailable.superclass # => SyntaxError
Ripper.sexp("1 +") # => nil
Ripper.sexp_raw("def x; BEGIN { p 1 }") # => nil
Ripper.sexp("exit; x = 1\n__END__\n(") # raises Ripper::Unavailable
Ripper.sexp(StringIO.new("(")) # => nil
Ripper.sexp("BEGIN { $ran = true }; end") # => nil
Ripper.sexp("BEGIN { $ran = true }") # raises Ripper::Unavailable
$ran # => nil
Ripper.sexp("(", raise_errors: true) # raises SyntaxError

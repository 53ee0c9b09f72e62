# needs: 4.0
require "ripper"
Ripper.sexp("1") # raises Ripper::Unavailable: Ripper's trees and tokens are not available
Ripper::Unavailable.superclass # => SyntaxError

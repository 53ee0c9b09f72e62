# Recursion without an end, through functions in C that call blocks.
require_relative "fixtures/build"
load_c("hashes")

endless = -> { Hashes.each({ 1 => 1 }) { endless.call } }
endless.call # raises SystemStackError: stack level too deep
endless.call # raises SystemStackError: stack level too deep
Hashes.each({ 1 => 2 }) { } # => [1]

{ a: 1, b: 2 } == { b: 2, a: 1 } # => true
{ a: 1 } == { a: 1.0 } # => true
{ a: 1 }.eql?({ a: 1.0 }) # => false
{ a: 1 } <= { a: 1, b: 2 } # => true
{ a: 1, b: 2 } > { a: 1 } # => true
{ a: 1 }.hash == { a: 1 }.hash # => true
{ a: 1 } === { a: 1 } # => true

# frozen_string_literal: true
"lit".frozen? # => true
"a#{1}b".frozen? # => false
'x'.equal?('x') # => true
"a" << "b" # raises FrozenError: can't modify frozen String: "a"
String.new.frozen? # => false
:a.to_s.frozen? # => false

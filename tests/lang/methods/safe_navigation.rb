x = nil
x&.foo # => nil
x&.foo(raise("never")) # => nil
"a"&.upcase # => "A"
x&.foo.nil? # => true
x&.a&.b # => nil
x&.y = 1
false&.to_s # => "false"

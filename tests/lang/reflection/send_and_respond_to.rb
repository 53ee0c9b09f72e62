1.send(:+, 2) # => 3
1.__send__("+", 2) # => 3
1.public_send(:puts) # raises NoMethodError: private method 'puts' called for an instance of Integer
1.send(:nope) # raises NoMethodError: undefined method 'nope' for an instance of Integer
1.send # raises ArgumentError: no method name given
1.send(5) # raises TypeError: 5 is not a symbol nor a string
1.respond_to?(:+) # => true
1.respond_to?("nope") # => false
Object.new.send(:binding).class # => Binding
"a".then { _1 + "b" } # => "ab"
5.tap { |x| x + 1 } # => 5
1.instance_of?(Integer) # => true
1.kind_of?(Comparable) # => true
1.is_a?(5) # raises TypeError: class or module required

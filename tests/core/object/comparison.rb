Object.new == Object.new # => false
o = Object.new
o == o # => true
o.eql?(o) # => true
o === o # => true
o <=> o # => 0
o <=> 1 # => nil
o =~ 1 rescue $!.class # => NoMethodError
o !~ 1 # raises NoMethodError: undefined method '=~' for an instance of Object
o.equal?(o.dup) # => false
nil == false # => false
nil.to_a # => []
NilClass === nil # => true
nil =~ /a/ # => nil
true & 1 # => true
true | nil # => true
false ^ true # => true
!nil # => true
nil.dup # => nil
true.to_s # => "true"
false <=> false # => 0
true <=> false # => nil

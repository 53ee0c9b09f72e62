o = Object.new
o.frozen? # => false
o.freeze.frozen? # => true
1.frozen? # => true
:a.frozen? # => true
nil.frozen? # => true
"lit".frozen? # => false
"a".dup.frozen? # => false
(1..2).frozen? # => true
o.dup.frozen? # => false
o.clone.frozen? # => true
o.clone(freeze: false).frozen? # => false
1.dup # => 1
nil.dup # => nil
:a.clone # => :a
1.clone(freeze: false) # raises ArgumentError: can't unfreeze Integer
o.itself.equal?(o) # => true
o.object_id == o.object_id # => true
1.object_id # => 3
nil.object_id # => 4
true.object_id # => 20
false.object_id # => 0
2.object_id # => 5
o.hash == o.hash # => true
Object.new.to_s.sub(/0x\h+/, "0x") # => "#<Object:0x>"
o.singleton_methods # => []
"shown".display # => nil
nil.to_a # => []
nil.to_s.frozen? # => true
nil & true # => false
true ^ true # => false
nil.inspect # => "nil"
# prints: shown

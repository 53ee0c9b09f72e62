x = 5
r = if x > 3 then :big elsif x > 1 then :mid else :small end
r # => :big
(:yes if false) # => nil
(:no unless false) # => :no
x > 3 ? 1 : 2 # => 1
r = unless x == 5 then 1 else 2 end
r # => 2
(if nil then 1 end) # => nil
true && 3 # => 3
nil || false # => false
(not true) # => false
(1 and nil) # => nil
!!x # => true

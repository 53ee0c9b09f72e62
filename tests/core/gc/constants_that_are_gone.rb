# What a constant held can be collected once the constant is removed or assigned anew,
# though code that used it lives on.
class Held
end

30.times do |i|
  Object.const_set(:"HELD_#{i}", Held.new)
  eval("def held_#{i} = HELD_#{i}")
  send(:"held_#{i}")
end

30.times { |i| Object.send(:remove_const, :"HELD_#{i}") }
GC.start
ObjectSpace.each_object(Held).count < 5 # => true
held_3 # raises NameError: uninitialized constant HELD_3
HELD_3 = Held.new
held_3.equal?(HELD_3) # => true

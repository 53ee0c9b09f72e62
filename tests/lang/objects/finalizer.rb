o = Object.new
ObjectSpace.define_finalizer(o, proc { |id| puts "finalized #{id.class}" })
o = nil
puts "end of program"
# prints: end of program
# prints: finalized Integer

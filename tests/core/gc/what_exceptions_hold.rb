# An exception knows the code and the methods that its backtrace names;
# the objects in whose methods it was raised are free.
class Thing; end

KEPT = []

def failing(body)
  thing = Thing.new
  thing.singleton_class
  thing.instance_exec(&body)
rescue => error
  KEPT << error
  nil
end

BODY = proc { raise "here" }
# Compiled code and what is left on the stack keep some, and no more where there were more.
500.times { failing(BODY) }
GC.start
ObjectSpace.each_object(Thing).count < 60 # => true
KEPT.last.backtrace_locations.map(&:base_label).first(3) # => ["<main>", "instance_exec", "failing"]

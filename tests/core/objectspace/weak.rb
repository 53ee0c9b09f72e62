m = ObjectSpace::WeakMap.new
k = "key".dup
v = "v".dup
m[k] = v
m[k] # => "v"
m.key?("key".dup) # => false
m.size # => 1
w = ObjectSpace::WeakKeyMap.new
w[k] = 1
w["key".dup] # => 1
w.getkey("key".dup).equal?(k) # => true
w.delete("key".dup) # => 1
require "weakref"
WeakRef.new(k).weakref_alive? # => true
ObjectSpace.count_objects.class # => Hash
ObjectSpace.garbage_collect # => nil

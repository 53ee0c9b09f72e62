e = ({ a: 1 }.fetch(:b) rescue $!)
[e.class, e.message, e.key, e.receiver] # => [KeyError, "key not found: :b", :b, {a: 1}]
e = (nope rescue $!)
[e.class, e.name, e.message] # => [NameError, :nope, "undefined local variable or method 'nope' for main"]
e = (Nope rescue $!)
[e.class, e.name, e.receiver, e.message] # => [NameError, :Nope, Object, "uninitialized constant Nope"]
e = (1.zap(2, 3) rescue $!)
[e.name, e.args, e.receiver] # => [:zap, [2, 3], 1]
e = ([].fetch(4) rescue $!)
[e.class, e.message] # => [IndexError, "index 4 outside of array bounds: 0...0"]
e = (loop { raise StopIteration } ; [].each.next rescue $!)
[e.class, e.message] # => [StopIteration, "iteration reached an end"]
e = ("".freeze << "a" rescue $!)
[e.class, e.message, e.receiver] # => [FrozenError, "can't modify frozen String: \"\"", ""]
e = (:a <=> 1)
e # => nil

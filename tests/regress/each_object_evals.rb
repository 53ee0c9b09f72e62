# Arrays that belong to the VM are not handed to Ruby code.
binding.eval("begin; a = 1; 1.times {}; ensure; b = 2; end")
lists = []
ObjectSpace.each_object(Array) { |list| lists << list }
lists.all? { |list| String === (list.inspect rescue "") } # => true

# Aliases are the same methods.
Enumerator::Lazy.instance_method(:collect) == Enumerator::Lazy.instance_method(:map) # => true
Enumerator::Lazy.instance_method(:find_all) == Enumerator::Lazy.instance_method(:select) # => true
Enumerator::Lazy.instance_method(:collect_concat) == Enumerator::Lazy.instance_method(:flat_map) # => true
Kernel.instance_method(:enum_for) == Kernel.instance_method(:to_enum) # => true
(1.1..3.3).reverse_each.size # raises TypeError: can't iterate from Float
(1..3.3).reverse_each.size # => 3
Enumerator::Product.new(1..2).send(:initialize_copy, Class.new(Enumerator::Product).new(3..4)) # raises TypeError: initialize_copy should take same class object
alias my_eval eval
x = 2
my_eval("x += 40")
x # => 42

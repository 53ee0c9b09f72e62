# Variables of a binding may have names that are words of the language, as those that a template is given.

require "erb"

b = binding
b.local_variable_set(:if, "i")
b.local_variable_set(:class, "c")
b.local_variable_get(:if) # => "i"
b.local_variable_defined?(:class) # => true
b.local_variables.first(2) # => [:class, :if]
b.eval("1 + 1") # => 2
b.eval("{if:, class:}") # => {if: "i", class: "c"}
b.eval("later = 2; later") # => 2
b.local_variable_get(:later) # => 2
b.local_variable_set(:if, 3)
b.eval("[binding.local_variable_get(:if), binding.local_variable_get(:class)]") # => [3, "c"]
ERB.new("<%= name %> <%= binding.local_variable_get(:class) %>").result_with_hash(name: "n", class: "x") # => "n x"
TOPLEVEL_BINDING.dup.tap { |copy| copy.local_variable_set(:end, 1) }.local_variable_get(:end) # => 1

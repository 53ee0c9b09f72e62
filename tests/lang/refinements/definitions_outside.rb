# What the block of `refine` defines beside methods belongs to the scope around it, which is said.
# stderr: definitions_outside.rb:7: warning: not defined at the refinement, but at the outer class/module
# stderr: definitions_outside.rb:8: warning: not defined at the refinement, but at the outer class/module

module Outer
  refine String do
    FOO = 123
    @@foo = 456
  end
end
Outer::FOO # => 123
Outer.class_variables # => [:@@foo]

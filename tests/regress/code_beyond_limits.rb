# What code objects cannot hold is a SyntaxError.
def refused(source)
  eval(source)
  :compiled
rescue SyntaxError
  :refused
end

# needs: 4.0
refused("def f(#{(0...70_000).map { "a#{it}" }.join(",")}) = 1") # => :refused
refused("def f(#{(0...70_000).map { "a#{it} = 1" }.join(",")}) = 1") # => :refused
refused("def f(*r, #{(0...70_000).map { "a#{it}" }.join(",")}) = 1") # => :refused
refused("f(#{"x," * 70_000} a: 1)") # => :refused
refused((0...70_000).map { "a#{it} = #{it}" }.join(";")) # => :refused
refused("#{(0...70_000).map { "a#{it} = #{it}" }.join(";")}; binding") # => :refused
refused("begin; 1; ensure;" * 22 + "1;" + "end;" * 22) # => :refused

# Lines go round at the end of a C int.
refused("eval(\"\\n\\n[\", nil, 'f', 2**31 - 1)") # => :refused
eval("1", nil, "f", 2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Class.new.class_eval("1", "f", -2**40) # raises RangeError: integer -1099511627776 too small to convert to 'int'

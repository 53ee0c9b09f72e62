def m(e)
  raise e
rescue ArgumentError, TypeError => x
  [:arg, x.message]
rescue ZeroDivisionError
  :zero
rescue => x
  [:std, x.class]
else
  :none
ensure
  $ensured = true
end
m(ArgumentError.new("a")) # => [:arg, "a"]
m(TypeError) # => [:arg, "TypeError"]
m(ZeroDivisionError) # => :zero
m("text") # => [:std, RuntimeError]
m(Exception) # raises Exception: Exception
$ensured # => true
(raise "a" rescue "rescued") # => "rescued"
x = Integer("z") rescue -1
x # => -1
list = [KeyError, IndexError]
r = begin; {}.fetch(1); rescue *list => e; e.class; end
r # => KeyError

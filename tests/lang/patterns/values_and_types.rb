def m(x)
  case x
  in 0 then :zero
  in Integer | Float => n if n < 0 then [:negative, n]
  in 1..5 then :small
  in Integer => n then [:int, n]
  in "a" | "b" then :letter
  in String => s unless s.empty? then [:string, s]
  in /x/ then :never
  in nil then :nil
  in true | false then :bool
  in :sym then :symbol
  in ->(v) { v.respond_to?(:call) } then :callable
  else :other
  end
end
m(0) # => :zero
m(-2.5) # => [:negative, -2.5]
m(3) # => :small
m(30) # => [:int, 30]
m("b") # => :letter
m("hi") # => [:string, "hi"]
m("") # => :other
m(nil) # => :nil
m(false) # => :bool
m(:sym) # => :symbol
m(-> {}) # => :callable
m([]) # => :other

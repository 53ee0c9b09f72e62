def error(source)
  eval(source)
rescue SyntaxError => e
  e.class
end
error("1 +") # => SyntaxError
error("def") # => SyntaxError
error("foo(") # => SyntaxError
error("class a; end") # => SyntaxError
error("break") # => SyntaxError
error("@1") # => SyntaxError
error("a, b += 1") # => SyntaxError
error("def m(a, a); end") # => SyntaxError
error("class << self; yield; end") # => SyntaxError
error("class X; return 5; end") # => SyntaxError
error("retry") # => SyntaxError
error("x = 5; x.y = ") # => SyntaxError
error("'abc") # => SyntaxError
error("1 = 2") # => SyntaxError
error("self = 1") # => SyntaxError
error("def m; A = 1; end") # => SyntaxError
error("proc { |a, a| }") # => SyntaxError
error("->(_a, _a) {}.arity") # => 2

# What the parser warns of is said for a text that it refuses, too.
# stderr: (eval):1: warning: ... at EOL, should be parenthesized?
begin
  eval("foo.[]= bar, ...", nil, "(eval)", 1)
rescue SyntaxError => error
  error.class # => SyntaxError
end

# flags: -w
# What is questionable in a pattern is said with the place of the literal, or of the call.
# stderr: (eval at
# stderr: :1: warning: nested repeat operator '?' and '+' was replaced with '*' in regular expression: /foo(A{0,1}+)Abar/
# stderr: pattern_warnings.rb:11: warning: regular expression has ']' without escape: /[a-]b]/
# stderr: warning: regular expression has ']' without escape: /a]/
# stderr: warning: nested repeat operator '+' and '*' was replaced with '*' in regular expression: /[[:space:]]+*/
eval("/foo(A{0,1}+)Abar/").match("fooAAAbar").to_a # => ["fooAAAbar", "AA"]
eval('/[[:space:]]+*/').match?("") # => true
/a]/.match?("a]") # => true
Regexp.new("[a-]b]").match?("ab]") # => true

# An enumerator's method is a name; what was not given is not shown.
1.to_enum(1) # raises TypeError: 1 is not a symbol nor a string
1.to_enum(by: 2) # raises TypeError: {by: 2} is not a symbol nor a string
1.to_enum((1..2), 3) # raises TypeError: 1..2 is not a symbol nor a string
1.to_enum("times").to_a # => [0]
2.enum_for("a\xff") # raises EncodingError: invalid symbol in encoding UTF-8 :"a\xFF"
[1].each.with_index # => #<Enumerator: #<Enumerator: [1]:each>:with_index>
[1].each.with_index(0) # => #<Enumerator: #<Enumerator: [1]:each>:with_index(0)>
[1].each.with_index(nil) # => #<Enumerator: #<Enumerator: [1]:each>:with_index(nil)>
[1].each.with_index.to_a # => [[1, 0]]
[1].each.with_index.with_index(2).to_a # => [[[1, 0], 2]]
[1].each.each_with_index # => #<Enumerator: #<Enumerator: [1]:each>:each_with_index>
[1].enum_for(:foo, k: :even, "s": "t", n: nil) # => #<Enumerator: [1]:foo(k: even, s: t, n: )>
IO.foreach("x") # => #<Enumerator: IO:foreach("x")>
IO.foreach("x", chomp: true) # => #<Enumerator: IO:foreach("x", chomp: true)>
File.foreach("fixtures/examples/none", "b", 3) # => #<Enumerator: File:foreach("fixtures/examples/none", "b", 3)>
:日.to_proc.inspect[/&.*\)/] # => "&:日) (lambda)"
:a.match # raises ArgumentError: wrong number of arguments (given 0, expected 1..2)
"a".match # raises ArgumentError: wrong number of arguments (given 0, expected 1..2)
"a".method(:match).arity # => -1
:a.method(:match).arity # => -1

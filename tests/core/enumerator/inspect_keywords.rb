# A hash at the end of what an enumerator passes on looks as keywords do.

[1].each_with_object(a: 1) # => #<Enumerator: [1]:each_with_object(a: 1)>
[1].each_with_object({}) # => #<Enumerator: [1]:each_with_object({})>
[1].each_with_object({ "a" => 1 }) # => #<Enumerator: [1]:each_with_object({"a" => 1})>
[1].enum_for(:foo, 1, b: 2) # => #<Enumerator: [1]:foo(1, b: 2)>
[1].enum_for(:foo, { a: 1, "b" => 2 }) # => #<Enumerator: [1]:foo({a: 1, "b" => 2})>

"a" < "b" # => true
"a" == "a " # => false
"abc".eql?("abc".b) # => true
"abc".hash == "abc".b.hash # => true
"é".hash == "é".b.hash # => false
"B" <=> "a" # => -1
"a".casecmp("A") # => 0
%w[b a C].sort # => ["C", "a", "b"]
%w[é z a].sort # => ["a", "z", "é"]
"abc" === "abc" # => true
"2" > "10" # => true

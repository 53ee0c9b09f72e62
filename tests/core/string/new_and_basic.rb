String.new # => ""
String.new.encoding # => #<Encoding:BINARY (ASCII-8BIT)>
String.new("a", encoding: "BINARY").encoding # => #<Encoding:BINARY (ASCII-8BIT)>
"".empty? # => true
"héllo".size # => 5
"héllo".bytesize # => 6
"abc".hash == "abc".hash # => true
"abc" == :abc # => false
"abc" <=> "abd" # => -1
"a" <=> 1 # => nil
"abc".eql?("abc") # => true
"abc".equal?("abc") # => false
"a".ord # => 97
"é".ord # => 233
"".ord # raises ArgumentError: empty string
"abc".itself # => "abc"
String(5) # => "5"
"abc".to_s # => "abc"
"abc".to_sym # => :abc
"x".succ # => "y"

m = "John Smith 42".match(/(?<first>\w+) (?<last>\w+) (?<age>\d+)/)
m.to_a # => ["John Smith 42", "John", "Smith", "42"]
m.captures # => ["John", "Smith", "42"]
m.names # => ["first", "last", "age"]
m[:first] # => "John"
m["last"] # => "Smith"
m[3] # => "42"
m.begin(:age) # => 11
m.end(0) # => 13
m.size # => 4
m.to_s # => "John Smith 42"
m.string # => "John Smith 42"
m.string.frozen? # => true
m.regexp # => /(?<first>\w+) (?<last>\w+) (?<age>\d+)/
m.named_captures(symbolize_names: true) # => {first: "John", last: "Smith", age: "42"}
m.values_at(:first, 3) # => ["John", "42"]
m == "John Smith 42".match(/(?<first>\w+) (?<last>\w+) (?<age>\d+)/) # => true
m[:nope] # raises IndexError: undefined group name reference: nope
m[9] # => nil
m.begin(9) # raises IndexError: index 9 out of matches
m.deconstruct # => ["John", "Smith", "42"]
m.bytebegin(0) # => 0
m.match(:first) # => "John"
m.match_length(:age) # => 2
(case m; in { first:, age: } then [first, age] end) # => ["John", "42"]

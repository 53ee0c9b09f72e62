[1, [2, [3]]].join(",") # => "1,2,3"
[1, nil, "a"].join # => "1a"
[].join.encoding # => #<Encoding:US-ASCII>
[1, "a", nil, :b].inspect # => "[1, \"a\", nil, :b]"
[1, 2].to_s # => "[1, 2]"
[1].join(1) # raises TypeError: no implicit conversion of Integer into String
["é", "a"].join("ü") # => "éüa"

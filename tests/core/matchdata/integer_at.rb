# needs: 4.0
# MatchData#integer_at reads a group as an Integer.

m = /(?<y>\d{4})(?<m>\d{2})(\d+)?/.match("202603")
m.integer_at("y") # => 2026
m.integer_at(:m) # => 3
m.integer_at(3) # => nil
/(\d{4})(\d+)/.match("202603").then { [_1.integer_at(0), _1.integer_at(-1), _1.integer_at(-2), _1.integer_at(-3), _1.integer_at(9)] } # => [202603, 3, 2026, nil, nil]
/\w+/.match("0x1_0").integer_at(0, 0) # => 16
/\w+/.match("111").integer_at(0, 9) # => 91
m.integer_at(:z) # raises IndexError: undefined group name reference: z

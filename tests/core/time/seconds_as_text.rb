# A String of seconds is an Integer's.
Time.utc("2020", "12", "3", "4", "5", "6") # => 2020-12-03 04:05:06 UTC
Time.utc("2020", "12", "3", "4", "5", "6.5") # raises ArgumentError: invalid value for Integer(): "6.5"
Time.local("2020", "12", "3", "4", "5", "6.25") # raises ArgumentError: invalid value for Integer(): "6.25"
Time.new("2020", "12", "3", "4", "5", "6.25") # raises ArgumentError: invalid value for Integer(): "6.25"
Time.gm("2020", "12", "3", "4", "5", ".5") # raises ArgumentError: invalid value for Integer(): ".5"
Time.utc("2020", "12", "3", "4", "5", "6.") # raises ArgumentError: invalid value for Integer(): "6."
Time.utc("6.5", "5", "4", "3", "12", "2020", nil, nil, nil, nil) # raises ArgumentError: invalid value for Integer(): "6.5"
Time.utc("2020", "12", "3", "4", "5", 6.5).subsec # => (1/2)

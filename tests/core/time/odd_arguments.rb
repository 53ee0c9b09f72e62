# Keywords that Time does not know, and how many fields its class methods take.
Time.at(0, foo: 1) # raises ArgumentError: unknown keyword: :foo
Time.now(on: 1) # raises ArgumentError: unknown keyword: :on
Time.new(2024, precision: 3, zone: 1) # raises ArgumentError: unknown keyword: :zone
Time.utc # raises ArgumentError: wrong number of arguments (given 0, expected 1..8)
Time.local(*1..9) # raises ArgumentError: wrong number of arguments (given 9, expected 1..8)
# An offset has no name, which no width fills.
east = Time.new(2024, 7, 5, 13, 4, 9, "+05:30")
east.strftime("[%10Z|%010Z|%^Z]") # => "[||]"
east.strftime("%p %#p %^#p %^p") # => "PM pm pm PM"
# A difference is the nearest Float to whole nanoseconds, over a billion.
Time.at(14916350, 876543211, :nsec) - Time.at(0) # => 14916350.876543213

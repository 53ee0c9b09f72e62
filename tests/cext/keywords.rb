# A function that has taken the keywords off its arguments hands the others to rb_scan_args.
require_relative "fixtures/build"
load_c("marshalling")
Marshalling.taking("text", level: 3) # => ["text", 3]
Marshalling.taking("text", **{}) # => ["text", nil]
Marshalling.taking("text", {level: 4}) # => ["text", 4]
Marshalling.taking({level: 4}) # raises ArgumentError: wrong number of arguments (given 0, expected 1)
Marshalling.taking("text", "more", level: 3) # raises ArgumentError: wrong number of arguments (given 2, expected 1)
Marshalling.taking(level: 3) # raises ArgumentError: wrong number of arguments (given 0, expected 1)

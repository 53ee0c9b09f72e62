# The conversion of an argument may freeze the receiver.
string = +"ax"
freezer = Object.new
freezer.define_singleton_method(:to_str) { string.freeze; "x" }
string.chomp!(freezer) # raises FrozenError: can't modify frozen String: "ax"
string = +"xa"
string.delete_prefix!(freezer) # raises FrozenError: can't modify frozen String: "xa"

# Other objects answer String#<=> by any number; String#match hands what was found to the block.
"a" <=> Class.new { def <=>(_) = 2**100 }.new # => -1
pattern = Class.new(Regexp) { def match(*words) = words.join("-") }.new("a")
"foo".match(pattern, "bar") { |found| found.upcase } # => "FOO-BAR"

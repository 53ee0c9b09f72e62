# The separator that was found is itself the middle part.
class Part < String
end
part = Part.new("b")
"abc".partition(part).map(&:class) # => [String, Part, String]
"abc".partition(part)[1].equal?(part) # => true
"abc".rpartition(part)[1].equal?(part) # => true
"abc".partition("b".freeze)[1].frozen? # => true
text = +"b"
converted = Object.new
converted.define_singleton_method(:to_str) { text }
[:partition, :rpartition].map { |name| "abc".send(name, converted)[1].equal?(text) } # => [true, true]
Part.new("abc").partition("b").map(&:class) # => [String, String, String]
"abc".partition(/b/)[1].frozen? # => false

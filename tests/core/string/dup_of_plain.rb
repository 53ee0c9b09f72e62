# dup of plain Strings and Arrays: own contents, not frozen, what is known of the bytes;
# classes, variables and hooks are kept.
text = "abc".freeze
copy = text.dup << "d"
[text, copy, text.dup.frozen?, text.dup.encoding] # => ["abc", "abcd", false, #<Encoding:UTF-8>]
"\xe9".dup.force_encoding("ISO-8859-1").dup.encoding # => #<Encoding:ISO-8859-1>

class Word < String; end
class Row < Array; end
[Word.new("a").dup.class, Row[1].dup.class] # => [Word, Row]

named = +"abc"
named.instance_variable_set(:@name, 1)
named.dup.instance_variable_get(:@name) # => 1

single = [1]
def single.size = 99
[single.size, single.dup.size] # => [99, 1]
[1, 2].freeze.dup.push(3) # => [1, 2, 3]

class String
  def initialize_copy(other) = raise("not for plain Strings")
end
"abc".dup # => "abc"

class Array
  def initialize_dup(other)
    super
    push(:hook)
  end
end
[1].dup # => [1, :hook]

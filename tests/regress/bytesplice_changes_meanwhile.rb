# A conversion of the last argument changes one of the strings of bytesplice.
class Changing
  def initialize(&change) = @change = change
  def to_int = (@change.call; 20)
end

text = +"ab" * 50
text.bytesplice(0, 50, "xyz" * 9, 3, Changing.new { text.clear }) # => "xyzxyzxyzxyzxyzxyzxy"
text = +"ab" * 50
text.bytesplice(10, 50, "xyz" * 9, 3, Changing.new { text.clear }) # raises IndexError: index 10 out of string
part = +"xyz" * 9
(+"hello").bytesplice(0, 3, part, 1, Changing.new { part.replace("ab") }) # => "blo"
part = +"xyz" * 9
(+"hello").bytesplice(0, 3, part, 5, Changing.new { part.replace("ab") }) # raises IndexError: index 5 out of string

# Views of memory that extensions hand to each other.
require_relative "fixtures/build"
load_c("views")

class Matrix
  def close = @closed = true
end
class Smaller < Matrix; end
Views.available?(Matrix.new) # => false
Views.register(Matrix) # => true
Views.register(Matrix) # => false
Views.register(nil) # raises TypeError: wrong argument type nil (expected Class)
[Matrix, Smaller, Object].map { |kind| Views.available?(kind.new) } # => [true, true, false]
matrix = Smaller.new
Views.item(matrix, 1, 0, false) # => 4
Views.item(matrix, 1, 2, true) # => -6
Views.released # => 2
matrix.close
Views.item(matrix, 0, 0, false) # => nil
Views.item("text", 0, 0, false) # => nil

# Formats.
sizes = %w[c s i l l! q j f d E n N v V x3 sq |sq |qs |cx2l3 s2C2].map { |format| Views.size_of(format) }
sizes # => [1, 2, 4, 4, 8, 8, 8, 4, 8, 8, 2, 4, 2, 4, 3, 10, 16, 16, 16, 6]
%w[z c! s!<z s?].map { |format| Views.size_of(format) } # => ["z", "c!", "z", "?"]
Views.members("c", "\xff") # => -1
Views.members("C", "\xff") # => 255
Views.members("c2", "\x01\x02") # => [1, 2]
Views.members("s>nxv", "\x01\x02\x01\x02\0\x01\x02") # => [258, 258, 513]
Views.members("dq", [1.5, -3].pack("dq")) # => [1.5, -3]
Views.members("gGe", [1.5, 2.5, 3.5].pack("gGe")) # => [1.5, 2.5, 3.5]
Views.members("Q", "\xff" * 8) # => 18446744073709551615
Views.members("x", "a") # => nil

=begin
a block comment
puts "never"
=end
x = [1, 2, 3]
  .map { |v| v + 1 } # a comment between
  # another
  .select(&:even?)
x # => [2, 4]
y = 1 +
  2
y # => 3
z = 5 \
  + 6
z # => 11
w = x
  &.first
w # => 2
__LINE__ # => 19

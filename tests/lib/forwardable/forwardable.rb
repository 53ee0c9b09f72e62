require "forwardable"
class Line
  extend Forwardable
  def_delegators :@items, :size, :<<, :first, :each, :[], :empty?
  def_delegator :@items, :shift, :take
  def_delegator "self.class", :name, :class_name
  instance_delegate %i[last push] => :@items
  include Enumerable
  def initialize = @items = []
end
line = Line.new
line << 1 << 2
line.push(3).class # => Array
line.size # => 3
line.take # => 1
line.first # => 2
line.first(1) # => [2]
line.last # => 3
line[1] # => 3
line.map { |x| x + 1 } # => [3, 4]
line.class_name # => "Line"
line.empty? # => false
o = Object.new
o.extend SingleForwardable
o.def_delegator :"[1, 2, 3]", :sum, :total
o.total # => 6

# Objects with more instance variables than their cells have room for.
# flags: --jit-threshold=2

names = (0...70).map { |i| :"@v#{i}" }
source = +"class Many\n"
source << "  attr_accessor #{names.map { |name| ":#{name.to_s.delete("@")}" }.join(", ")}\n"
source << "  def set(n)\n#{names.map.with_index { |name, i| "    #{name} = n + #{i}\n" }.join}    self\n  end\n"
source << "  def add\n#{names.map { |name| "    #{name} += 1\n" }.join}    self\n  end\n"
source << "  def sum = #{names.join(" + ")}\n"
source << "end\n"
eval source

many = Many.new
100.times { |i| many.set(i) }
many.sum # => 9345
100.times { many.add }
many.sum # => 16345
200.times.sum { many.v0 + many.v40 + many.v69 } # => 141200
200.times { many.v69 += 1 }
many.v69 # => 468

# The next ones have them in larger cells, or set them one by one.
others = Array.new(50) { |i| Many.new.set(i) }
others.sum(&:sum) # => 206500
slow = Many.new
names.each_with_index { |name, i| slow.instance_variable_set(name, i) }
20.times { slow.add }
slow.sum # => 3815
slow.instance_variables.size # => 70

# Removed, and set again.
slow.remove_instance_variable(:@v0) # => 20
begin
  slow.sum
rescue NoMethodError => error
  error.message # => "undefined method '+' for nil"
end
slow.instance_variables.last # => :@v69
slow.v0 = 20
20.times { slow.sum }
slow.sum # => 3815
slow.instance_variables.last # => :@v0

# Copies are their own, frozen ones are not changed.
copy = slow.dup
20.times { copy.add }
[slow.sum, copy.sum] # => [3815, 5215]
copy.freeze
begin
  copy.add
rescue FrozenError => error
  error.message[/Many/] # => "Many"
end
copy.sum # => 5215

# Room for what `initialize` sets, also where a subclass has more.
class First
  def initialize
    @a, @b, @c, @d, @e = 1, 2, 3, 4, 5
  end

  def sum = @a + @b + @c + @d + @e
end

class Second < First
  def initialize
    super
    @f, @g, @h = 6, 7, 8
  end

  def all = sum + @f + @g + @h
end
50.times.sum { First.new.sum } # => 750
50.times.sum { Second.new.all } # => 1800

# Reads and writes instance variables directly, through accessors, and in objects of several shapes.
class Counter
  attr_accessor :count
  attr_reader :total

  def initialize
    @count = 0
    @total = 0
    @step = 1
  end

  def run(times)
    i = 0
    while i < times
      @count += @step
      @total += @count & 3
      i += 1
    end
  end
end

class Named < Counter
  def initialize(name)
    @name = name
    super()
    @extra = name.size
  end
end

counter = Counter.new
counter.run(8_000_000)
named = Named.new("abc")
named.run(3_000_000)
both = [counter, named]
sum = 0
2_000_000.times do |i|
  object = both[i & 1]
  object.count = object.count + 1
  sum += object.total & 7
end
puts sum, counter.count, named.count

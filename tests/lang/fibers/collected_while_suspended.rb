# What only the stack of a suspended fiber refers to outlives collections, also when a binding changes it meanwhile.
fibers = Array.new(20) do |i|
  Fiber.new do |given|
    own = "own#{i}"
    loop do
      given = Fiber.yield(own + given)
      %w[a b].each do |letter|
        made = letter * 3 + own
        Fiber.yield made
        raise "lost" unless made == letter * 3 + own
      end
    end
  end
end
fibers.map { _1.resume("!") }.last # => "own19!"
GC.start
GC.start(full_mark: false)
fibers.map { _1.resume("?") }.last # => "aaaown19"
GC.start
fibers.map { _1.resume }.last # => "bbbown19"
2.times { GC.start }
fibers.map { _1.resume }.last # => "own19?"

changing = Fiber.new do
  value = "first"
  Fiber.yield binding
  value
end
scope = changing.resume
GC.start
scope.local_variable_set(:value, "sec" + "ond")
GC.start
changing.resume # => "second"

# The machine stack ends in C code: SystemStackError, wherever that code runs, and the program goes on.
require_relative "fixtures/build"
load_c("deep", "-O0")

round = ->(name) { -> { Deep.public_send(name, -> { round[name].() }) } }
table = { a: 1 }
ways = {
  alone: -> { Deep.alone },
  making: -> { Deep.making },
  large: round[:large],
  call: round[:call],
  protect: -> { Deep.protect },
  ensure: -> { Deep.ensure },
  rescue: -> { Deep.rescue },
  each: -> { Deep.each(table) }
}
# A collection at each allocation reads all of a stack that grows: that takes as long as the square of its depth.
slow = ENV["RUBELLITE_STRESS"].to_s.match?(/gc|steps/) ? %i[making large call] : []
slow.each { |name| ways.delete(name) }
tried = lambda do
  ways.map do |name, way|
    way.()
  rescue SystemStackError => error
    error.message
  end.tally
end

# Where exceptions are stopped in C code it tells their class.
expected = { "stack level too deep" => 6 - slow.size, [6, SystemStackError] => 1, SystemStackError => 1 }
2.times.map { tried.() == expected } # => [true, true]
Thread.new { tried.() == expected }.value # => true
Fiber.new { tried.() == expected }.resume # => true
Enumerator.new { |out| out << (tried.() == expected) }.next # => true
Thread.new { Fiber.new { tried.() == expected }.resume }.value # => true
alone = lambda do
  Deep.alone
rescue SystemStackError => error
  error.class
end
8.times.map { Thread.new(&alone) }.map(&:value).uniq # => [SystemStackError]
Deep.ends.size # => 6

# A hash that was being gone through can be added to.
table[:b] = 2
table.size # => 2
begin
  Deep.alone
rescue SystemStackError => error
  error.backtrace.first[/'.*'/] # => "'Deep.alone'"
end

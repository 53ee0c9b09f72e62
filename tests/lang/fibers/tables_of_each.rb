# What a fiber has under way stays its own: tags of catch, guards of recursion, the exception it looks at.

inner = Fiber.new do
  catch(:tag) do
    3.times { |i| Fiber.yield(i) }
    throw :tag, :inner
  end
end
outcome = catch(:tag) do
  got = [inner.resume, inner.resume]
  throw :tag, got
end
outcome # => [0, 1]
inner.resume # => 2
inner.resume # => :inner

# A tag of the fiber that resumes is none of the fiber's.
stranger = Fiber.new { throw :outside, 1 }
thrown = catch(:outside) do
  stranger.resume
rescue UncaughtThrowError => e
  e.message
end
thrown # => "uncaught throw :outside"

# An inspection that a fiber has begun goes on where it was; others begin anew.
class Slow
  def initialize(list) = @list = list
  def inspect = "<#{Fiber.yield(:asked)} #{@list.size}>"
end
list = [1]
list << Slow.new(list) << list
inspections = Array.new(2) { Fiber.new { list.inspect } }
inspections.map(&:resume) # => [:asked, :asked]
recursive = [5]
recursive << recursive
recursive.inspect # => "[5, [...]]"
inspections.map { |fiber| fiber.resume(fiber.alive?) } # => ["[1, <true 3>, [...]]", "[1, <true 3>, [...]]"]

# `$!` belongs to the fiber.
failing = Fiber.new do
  raise "one"
rescue => e
  Fiber.yield($!.message)
  $!.message
end
begin
  raise "two"
rescue
  failing.resume # => "one"
  $!.message # => "two"
  failing.resume # => "one"
end
$! # => nil

# One ends inside a catch by an exception, and its stacks serve the next.
ends = Array.new(3) do |i|
  Fiber.new { catch(:tag) { Fiber.yield(i); raise "end #{i}" } }
end
ends.map(&:resume) # => [0, 1, 2]
messages = ends.map do |fiber|
  fiber.resume
rescue => e
  e.message
end
messages # => ["end 0", "end 1", "end 2"]
Fiber.new { throw :tag rescue $!.message }.resume # => "uncaught throw :tag"

# Each of many has objects that nothing else refers to.
many = Array.new(20) do |i|
  Fiber.new do |x|
    text, pair = "text #{i}", [x.to_s * 2, i]
    4.times { |k| pair = [Fiber.yield(pair.first + text), k] }
    pair
  end
end
firsts = many.map.with_index { |fiber, i| fiber.resume(i * 11) }
firsts.last # => "209209text 19"
3.times do |round|
  GC.start
  200.times { |i| "filler #{i}" * 3 }
  many.each_with_index { |fiber, i| raise "lost" if fiber.resume("r#{round}") != "r#{round}text #{i}" }
end
many.map { |fiber| fiber.resume(:last) }.uniq # => [[:last, 3]]

# Fibers that resume each other, with transfers, beyond the root.
chain = Fiber.new do |n|
  Fiber.new { |m| Fiber.new { |k| Fiber.yield(k + 1); k + 2 }.then { |f| [f.resume(m + 1), f.resume] } }.resume(n + 1)
end
chain.resume(1) # => [4, 5]
ping = pong = nil
log = []
main = Fiber.current
ping = Fiber.new { 3.times { |i| log << [:ping, i]; pong.transfer }; main.transfer(:done) }
pong = Fiber.new { loop { log << :pong; ping.transfer } }
ping.transfer # => :done
log # => [[:ping, 0], :pong, [:ping, 1], :pong, [:ping, 2], :pong]

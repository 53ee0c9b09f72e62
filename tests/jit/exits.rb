# Leaving compiled code: exceptions, break, throw, ensure, deep recursion, kill, fibers.
# flags: --jit-threshold=2

def risky(n) = n % 7 == 6 ? raise(ArgumentError, "at #{n}") : n
def guarded(n)
  good = bad = 0
  text = nil
  n.times do |i|
    begin
      good += risky(i)
    rescue ArgumentError => e
      bad += 1
      text = e.message
    ensure
      good += 1000
    end
  end
  [good, bad, text]
end
guarded(20) # => [20171, 2, "at 13"]
guarded(20) # => [20171, 2, "at 13"]

def found(list) = list.each { |x| return x * 2 if x > 3 }
def broken(list) = list.each { |x| break x * 2 if x > 3 }
def thrown(list) = catch(:out) { list.each { |x| list.each { |y| throw :out, [x, y] if x + y > 6 } } }
3.times.map { [found([1, 2, 3, 4, 5]), broken([1, 2, 3, 4, 5]), thrown([1, 2, 3, 4])] }.uniq # => [[8, 8, [3, 4]]]
def skipped(list) = list.map { |x| next 0 if x.odd?; x }
3.times.map { skipped([1, 2, 3, 4]) }.uniq # => [[0, 2, 0, 4]]
def outer_value = [1, 2].each { |x| [3, 4].each { |y| return [x, y] if y == 4 } }
3.times.map { outer_value }.uniq # => [[1, 4]]
def stale = [1].each { |x| return proc { return x } }
3.times.map { stale.call rescue $!.class }.uniq # => [LocalJumpError]

def deep(n) = n == 0 ? 0 : 1 + deep(n - 1)
5.times.map { deep(20) }.uniq # => [20]
deep(9_000) # => 9000
Thread.new { deep(5_000) }.value # => 5000
Fiber.new { deep(3_000) }.resume # => 3000
(begin; deep(10_000_000); rescue SystemStackError => e; e.class; end) # => SystemStackError
deep(100) # => 100

def trace_of(n) = n == 0 ? caller.size : trace_of(n - 1)
trace_of(5) - trace_of(2) # => 3
def lines(list) = list.map { |x| x == 2 ? raise("here") : x }
def where
  lines([1, 2])
rescue => e
  e.backtrace.first(3).map { |line| line[/\d+:in .*/] }
end
4.times.map { where }.uniq # => [["44:in 'block in Object#lines'", "44:in 'Array#map'", "44:in 'Object#lines'"]]

def spin = loop { |i| @turns = (@turns || 0) + 1 }
thread = Thread.new { spin }
Thread.pass until @turns
sleep 0.01
thread.kill.join.status # => false
thread = Thread.new { begin; spin; rescue => e; e.message; end }
sleep 0.05
thread.raise("stop")
thread.value # => "stop"
require "timeout"
def busy
  i = 0
  i += 1 while true
end
(Timeout.timeout(0.05) { busy } rescue $!.class) # => Timeout::Error

numbers = Fiber.new { 10.times { |i| Fiber.yield i }; :done }
Array.new(11) { numbers.resume } # => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, :done]
squares = Enumerator.new { |y| 5.times { |i| y << i * i } }
Array.new(5) { squares.next } # => [0, 1, 4, 9, 16]

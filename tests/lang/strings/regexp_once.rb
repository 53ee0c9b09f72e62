# Two threads that reach a pattern at the same time: one makes it, the other waits and takes it.
made = Queue.new
go = Queue.new
pattern = proc { |text| /#{made << text; go.pop; text}/o }
first = Thread.new { pattern.call("first") }
made.pop # => "first"
second = Thread.new { pattern.call("second") }
sleep 0.05
go << 1
first.value # => /first/
second.value # => /first/
made.empty? # => true
pattern.call("third") # => /first/

# What is left without a value can be made again: exceptions, throw, jumps, kill.
again = proc { |fail| /#{fail ? raise("no") : "made"}/o }
again.call(true) # raises RuntimeError: no
again.call(false) # => /made/
thrown = proc { |fail| catch(:out) { /#{fail ? throw(:out, 1) : 2}/o } }
[thrown.call(true), thrown.call(false), thrown.call(true)] # => [1, /2/, /2/]

def jumps(list)
  seen = []
  until list.empty?
    n = list.shift
    seen << /#{case n
               when 0 then next
               when 1 then break
               when 2 then return :returned
               else n
               end}/o
  end
  seen
end
jumps([0, 1, 3]) # => []
jumps([2]) # => :returned
Thread.new { jumps([0, 5, 0, 6]) }.value # => [/5/, /5/, /5/]
jumps([0, 1, 2, 3]) # => [/5/, /5/, /5/, /5/]

stopped = proc { |wait| /#{wait ? sleep : 7}/o }
sleeper = Thread.new { stopped.call(true) }
Thread.pass until sleeper.stop?
waiter = Thread.new { stopped.call(false) }
sleep 0.05
sleeper.kill
waiter.value # => /7/

# A thread that waits can be interrupted.
held = proc { |wait| /#{wait ? go.pop : 8}/o }
holder = Thread.new { held.call(true) }
Thread.pass until holder.stop?
interrupted = Thread.new { held.call(false) rescue $!.message }
sleep 0.05
interrupted.raise("enough")
interrupted.value # => "enough"
go << 9
holder.value # => /9/

# Inside itself it is made each time, and the outermost one is kept.
nested = proc { |n| /#{nested.call(n - 1).source if n > 0}#{n}/o }
nested.call(2) # => /012/
nested.call(5) # => /012/

# The exception being handled stays what it was.
begin
  raise "outer"
rescue
  /#{begin; raise "inner"; rescue; $!.message; end}/o # => /inner/
  (again2 = proc { /#{raise "left"}/o }).call rescue $!.message # => "left"
  $!.message # => "outer"
end

# Ports: messages from any ractor to the one that made the port.
# needs: 4.0
Warning[:experimental] = false

port = Ractor::Port.new
sender = Ractor.new(port) { |port| 3.times { port << it }; :done }
3.times.map { port.receive } # => [0, 1, 2]
sender.value # => :done
sender.value # => :done

echo = Ractor.new { loop { from, message = Ractor.receive; break message if message == :stop; from << [message] } }
echo.send([port, "text"])
port.receive # => ["text"]
echo << [port, :stop]
echo.join.equal?(echo) # => true
echo.value # => :stop
echo.inspect[/terminated/] # => "terminated"

# What is not shareable is copied, aliases and cycles included.
list = ["a"]
list << list[0] << list
copy = Ractor.new(list) { |given| given }.value
copy[0].equal?(list[0]) # => false
copy[0].equal?(copy[1]) # => true
copy[2].equal?(copy) # => true
frozen = [1, :b].freeze
Ractor.new(frozen) { |given| given }.value.equal?(frozen) # => true
Ractor.new(Set["x"]) { |set| set.to_a }.value # => ["x"]
Ractor.new({ ["k"] => "v" }) { |hash| hash[["k"]] }.value # => "v"
pair = Struct.new(:left, :right)
Ractor.new(pair.new("l", ["r"])) { |given| given.right << given.left }.value # => ["r", "l"]
Ractor.new(proc {}) {} # raises Ractor::Error: can not copy Proc object.
Ractor.new(Thread.new {}) {} # raises Ractor::Error: can't clone unshareable instance of Thread

# Closed ports.
port.close
port.closed? # => true
port << 1 # raises Ractor::ClosedError: The port was already closed
port.receive # raises Ractor::ClosedError: The port was already closed
gone = Ractor.new { Ractor::Port.new }.value
gone << 1 # raises Ractor::ClosedError: The port was already closed
gone.receive # raises Ractor::Error: only allowed from the creator Ractor of this port
gone.close # raises Ractor::Error: closing port by other ractors is not allowed
Ractor::Port.allocate.receive # raises TypeError: uninitialized Ractor::Port
Ractor::Port.new.inspect[/\A#<Ractor::Port to:#1 id:\d+>\z/].nil? # => false

# A closed port still gives what it has.
left = Ractor::Port.new
left << 1
left.close
left.receive # => 1
left.receive # raises Ractor::ClosedError: The port was already closed

# Waiting for several.
first, second = Ractor::Port.new, Ractor::Port.new
Ractor.new(second) { |port| port << :b }
got, message = Ractor.select(first, second)
[got.equal?(second), message] # => [true, :b]
ractors = 3.times.map { |i| Ractor.new(i) { it } }
answers = []
until ractors.empty?
  ended, value = Ractor.select(*ractors)
  ractors.delete(ended)
  answers << value
end
answers.sort # => [0, 1, 2]
Ractor.select # raises ArgumentError: specify at least one Ractor::Port or Ractor
Ractor.select(1) # raises ArgumentError: should be Ractor::Port or Ractor

# Being told of an end.
watched = Ractor.new { Ractor.receive }
watch = Ractor::Port.new
watched.monitor(watch) # => true
watched << nil
watch.receive # => :exited
watched.monitor(watch) # => false
watch.receive # => :exited

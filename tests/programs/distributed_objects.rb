# DRb: objects of another process, blocks that are called back, errors that travel. Rinda's tuple space on top.
require "drb"
require "rinda/tuplespace"

class Counter
  include DRbUndumped

  def initialize = @count = 0
  def add(n) = @count += n
  def each(n) = n.times { |i| yield i }
  def fail! = raise(ArgumentError, "as asked")
end

front = Counter.new
server = DRb::DRbServer.new("druby://127.0.0.1:0", front)
remote = DRbObject.new_with_uri(server.uri)
threads = 4.times.map { Thread.new { 25.times { remote.add(1) } } }
threads.each(&:join)
remote.add(0) # => 100
DRb.start_service("druby://127.0.0.1:0")
seen = []
remote.each(3) { |i| seen << i }
seen # => [0, 1, 2]
remote.fail! # raises ArgumentError: as asked
remote.nothing # raises NoMethodError
server.stop_service

space = Rinda::TupleSpace.new
host = DRb::DRbServer.new("druby://127.0.0.1:0", space)
far = DRbObject.new_with_uri(host.uri)
taker = Thread.new { far.take([:job, Integer]) }
far.write([:job, 7])
taker.value # => [:job, 7]
far.write([:other, "x"])
far.read([:other, nil]) # => [:other, "x"]
host.stop_service

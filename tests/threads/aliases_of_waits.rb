# needs: 4.0
# Other names of the same methods are aliases: backtraces name the original.
def place = yield rescue $!.backtrace.first[/'.*'/]
queue = Thread::Queue.new
place { queue.deq(true) } # => "'Thread::Queue#pop'"
place { queue.shift(true) } # => "'Thread::Queue#pop'"
queue.close
place { queue << 1 } # => "'Thread::Queue#push'"
place { queue.enq(1) } # => "'Thread::Queue#push'"
sized = Thread::SizedQueue.new(1)
place { sized.deq(true) } # => "'Thread::SizedQueue#pop'"
sized << 1
place { sized.enq(1, true) } # => "'Thread::SizedQueue#push'"
place { Monitor.new.mon_exit } # => "'Monitor#exit'"
Thread::Queue.instance_method(:<<).original_name # => :push
# A subclass that redefines one of them changes that one.
class Doubling < Thread::Queue
  def push(item) = super(item * 2)
end
doubling = Doubling.new
doubling << 1
doubling.push(1)
[doubling.pop, doubling.shift] # => [1, 2]

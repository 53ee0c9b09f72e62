class Thread::SizedQueue
  alias enq push
  alias << push
  alias shift pop
  alias deq pop
end

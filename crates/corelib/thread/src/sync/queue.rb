class Thread::Queue
  alias enq push
  alias << push
  alias shift pop
  alias deq pop
  undef_method :initialize_copy
end

class Thread::Mutex
  def synchronize
    raise ThreadError, "must be called with a block" unless block_given?
    __lock
    begin
      yield
    ensure
      __unlock
    end
  end
end

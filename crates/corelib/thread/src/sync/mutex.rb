class Thread::Mutex
  def synchronize
    raise ThreadError, "must be called with a block" unless block_given?
    Primitive.mutex_lock(self)
    begin
      yield
    ensure
      Primitive.mutex_unlock(self)
    end
  end
end

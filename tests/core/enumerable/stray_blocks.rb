# A block that a method of Enumerable gave to `each` and that is called when the method has ended.
keeper = Object.new
class << keeper
  attr_reader :block
  include Enumerable

  def each(&block)
    @block = block
    self
  end
end

keeper.first
keeper.block.call # raises LocalJumpError: unexpected break
reason = begin
  keeper.block.call(1)
rescue LocalJumpError => e
  e.reason
end
reason # => :break

# In another thread it raises there; the element has been found all the same.
def in_thread
  Thread.new do
    yield 42
  rescue LocalJumpError
    p :raised
  end.join
end

to_enum(:in_thread).first # => 42
# prints: :raised

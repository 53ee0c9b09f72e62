# io/nonblock: the descriptor's mode for the length of a block.

class IO
  def nonblock(on = true)
    before = nonblock?
    self.nonblock = on
    yield self
  ensure
    self.nonblock = before unless closed?
  end
end

module Kernel
  def tap
    yield(self)
    self
  end

  def then
    return to_enum(:then) { 1 } unless block_given?
    yield(self)
  end

  alias yield_self then

  def display(port = $>)
    port.write(self)
    nil
  end

  def loop
    return to_enum(:loop) { Float::INFINITY } unless block_given?
    begin
      while true
        yield
      end
    rescue StopIteration => e
      e.result
    end
  end
  module_function :loop
end

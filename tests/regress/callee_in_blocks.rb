# `__callee__` in a block is the name that its method was called by.
class Aliased
  def original = tap { return __callee__ }
  alias other original
end
Aliased.new.other # => :other
Aliased.new.original # => :original

module ObjectSpace
  def self.each_object(module_ = nil)
    return to_enum(:each_object, module_) unless block_given?
    list = __each_object(module_)
    i = 0
    n = list.size
    while i < n
      yield list[i]
      i += 1
    end
    n
  end

  private def each_object(module_ = nil, &block) = ObjectSpace.each_object(module_, &block)

  class WeakMap
    include Enumerable

    def each
      raise LocalJumpError, "no block given" unless block_given?
      list = __pairs
      i = 0
      while i < list.size
        yield list[i]
        i += 1
      end
      self
    end

    def each_pair
      raise LocalJumpError, "no block given" unless block_given?
      list = __pairs
      i = 0
      while i < list.size
        pair = list[i]
        yield pair[0], pair[1]
        i += 1
      end
      self
    end

    def each_key
      raise LocalJumpError, "no block given" unless block_given?
      keys.each { |key| yield key }
      self
    end

    def each_value
      raise LocalJumpError, "no block given" unless block_given?
      values.each { |value| yield value }
      self
    end
  end
end

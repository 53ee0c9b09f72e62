module ObjectSpace
  def self.each_object(module_ = nil)
    return to_enum(:each_object, module_) unless block_given?
    list = Primitive.object_space_each_object(self, module_)
    list.select! { Ractor.shareable?(it) } unless Ractor.main?
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
      list = Primitive.weak_map_pairs(self)
      raise LocalJumpError, "no block given" unless block_given? || list.empty?
      i = 0
      while i < list.size
        pair = list[i]
        yield pair[0], pair[1]
        i += 1
      end
      self
    end
    alias each_pair each

    def each_key
      raise LocalJumpError, "no block given" unless block_given? || size == 0
      keys.each { |key| yield key }
      self
    end

    def each_value
      raise LocalJumpError, "no block given" unless block_given? || size == 0
      values.each { |value| yield value }
      self
    end
  end
end

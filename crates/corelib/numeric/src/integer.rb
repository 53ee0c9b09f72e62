class Integer
  def times
    return to_enum(:times) { self < 0 ? 0 : self } unless block_given?
    i = 0
    while i < self
      yield i
      i += 1
    end
    self
  end

  def upto(limit)
    return to_enum(:upto, limit) { Primitive.numeric_interval_size(self, limit, 1, false) } unless block_given?
    i = self
    until i > limit
      yield i
      i += 1
    end
    self
  end

  def downto(limit)
    return to_enum(:downto, limit) { Primitive.numeric_interval_size(self, limit, -1, false) } unless block_given?
    i = self
    until i < limit
      yield i
      i -= 1
    end
    self
  end
end

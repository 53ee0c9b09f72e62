class Numeric
  def singleton_method_added(name)
    singleton_class.__send__(:remove_method, name)
    raise TypeError, "can't define singleton method \"#{name}\" for #{self.class}"
  end

  def step(limit = (no_limit = true; nil), step = (no_step = true; nil), by: (no_by = true; nil),
           to: (no_to = true; nil))
    unless no_to
      raise ArgumentError, "to is given twice" unless no_limit
      limit = to
    end
    unless no_by
      raise ArgumentError, "step is given twice" unless no_step
      step = by
    end
    unless block_given?
      args = []
      args << limit unless no_limit
      args << step unless no_step
      step = 1 if step.nil?
      raise ArgumentError, "step can't be 0" if step == 0
      if (limit.nil? || Numeric === limit) && Numeric === step
        options = {}
        options[:by] = by unless no_by
        options[:to] = to unless no_to
        args << options unless options.empty?
        return Primitive.arithmetic_sequence_new(Enumerator::ArithmeticSequence, self, :step, args, self, limit, step,
                                                 false)
      end
      return to_enum(:step, limit, step) { __step_size(limit, step) }
    end
    raise TypeError, "step must be numeric" if no_by && !no_step && step.nil?
    raise ArgumentError, "step can't be 0" if step == 0
    step = 1 if step.nil?
    descending = Primitive.numeric_step_descending(self, step)
    limit = descending ? -Float::INFINITY : Float::INFINITY if limit.nil?
    i = self
    if Float === i || Float === step || Float === limit && !(limit.infinite? && (limit < 0) == descending)
      count = Primitive.numeric_float_step_size(self, i, limit, step, false)
      first = Float(i)
      unit = Float(step)
      last = Float(limit)
      if unit.infinite?
        yield first if count > 0
        return self
      end
      k = 0
      while k < count
        f = k * unit + first
        f = last if unit >= 0 ? last < f : f < last
        yield f
        k += 1
      end
    elsif Float === limit
      while true
        yield i
        i += step
      end
    elsif descending
      until i < limit
        yield i
        i += step
      end
    else
      until i > limit
        yield i
        i += step
      end
    end
    self
  end

  private def __step_size(limit, step)
    descending = Primitive.numeric_step_descending(self, step)
    limit = descending ? -Float::INFINITY : Float::INFINITY if limit.nil?
    Primitive.numeric_interval_size(self, limit, step, false)
  end
end

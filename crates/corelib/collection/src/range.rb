class Range
  def __cannot_iterate
    raise TypeError, "can't iterate from #{Primitive.range_begin(self).class}"
  end
  private :__cannot_iterate

  def each
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    i = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    if Integer === i && (last.nil? || Integer === last)
      if last.nil?
        while true
          yield i
          i += 1
        end
      end
      if Primitive.range_excl(self)
        while i < last
          yield i
          i += 1
        end
      else
        while i <= last
          yield i
          i += 1
        end
      end
    elsif String === i
      __each_string(i, last) { |s| yield s }
    elsif Symbol === i && (last.nil? || Symbol === last)
      if last.nil?
        i = i.name
        while true
          yield i.to_sym
          i = i.succ
        end
      else
        i.name.upto(last.name, Primitive.range_excl(self)) { |s| yield s.to_sym }
      end
    elsif (text = Primitive.string_try_convert(i))
      __each_string(text, last) { |s| yield s }
    else
      __cannot_iterate unless i.respond_to?(:succ)
      if last.nil?
        while true
          yield i
          i = i.succ
        end
      else
        __each_succ(i, last) { |s| yield s }
      end
    end
    self
  end

  def __each_string(i, last)
    if last.nil?
      while true
        yield i
        i = i.succ
      end
    elsif (text = Primitive.string_try_convert(last))
      i.upto(text, Primitive.range_excl(self)) { |s| yield s }
    else
      __each_succ(i, last) { |s| yield s }
    end
  end

  def __each_succ(i, last)
    if Primitive.range_excl(self)
      while Primitive.range_order(i, last) == -1
        yield i
        i = i.succ
      end
    else
      while (order = Primitive.range_order(i, last)) && order <= 0
        yield i
        break if order == 0
        i = i.succ
      end
    end
  end
  private :__each_string, :__each_succ

  def map(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    i = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    return super unless Integer === i && Integer === last && Range.equal?(self.class)
    last -= 1 if Primitive.range_excl(self)
    list = []
    while i <= last
      list << (yield i)
      i += 1
    end
    list
  end

  def inject(*args, &)
    i = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    return super unless Integer === i && Integer === last && Range.equal?(self.class)
    op = nil
    if defined?(yield)
      return super if args.size > 1
    else
      return super unless (args.size == 1 || args.size == 2) && Symbol === args[-1]
      op = args.pop
    end
    last -= 1 if Primitive.range_excl(self)
    if args.empty?
      return nil if i > last
      memo = i
      i += 1
    else
      memo = args[0]
    end
    if op
      while i <= last
        memo = Primitive.call_public(memo, op, i)
        i += 1
      end
    else
      while i <= last
        memo = yield memo, i
        i += 1
      end
    end
    memo
  end

  def reverse_each(&)
    last = Primitive.range_end(self)
    first = Primitive.range_begin(self)
    unless defined?(yield)
      return Primitive.enumerator_of_call(self) do
        if last.nil? || (Float === last && (first.nil? || Float === first)) ||
            (Integer === last && Numeric === first && !(Integer === first))
          raise TypeError, "can't iterate from #{last.class}"
        end
        if Integer === last && first.nil?
          Float::INFINITY
        else
          size
        end
      end
    end
    raise TypeError, "can't iterate from #{last.class}" if last.nil?
    if Integer === last && (first.nil? || Integer === first)
      i = Primitive.range_excl(self) ? last - 1 : last
      if first.nil?
        while true
          yield i
          i -= 1
        end
      end
      while i >= first
        yield i
        i -= 1
      end
      self
    else
      super
    end
  end

  def __size_of
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    if Integer === first
      return Float::INFINITY if last.nil?
      if Integer === last
        n = last - first + (Primitive.range_excl(self) ? 0 : 1)
        return n < 0 ? 0 : n
      end
      return Primitive.numeric_interval_size(first, last, 1, Primitive.range_excl(self)) if Numeric === last
    end
    __cannot_iterate unless first.respond_to?(:succ)
    nil
  end

  def __count_of(*args, &)
    if args.empty? && !defined?(yield)
      return Float::INFINITY if Primitive.range_begin(self).nil? || Primitive.range_end(self).nil?
      return __size_of if Integer === Primitive.range_begin(self) && Integer === Primitive.range_end(self)
    end
    __every_count(*args, &)
  end

  def to_a
    raise RangeError, "cannot convert endless range to an array" if Primitive.range_end(self).nil?
    Primitive.range_ints(self) || super
  end

  def to_set(klass = nil, *args, &block)
    raise RangeError, "cannot convert endless range to a set" if Primitive.range_end(self).nil?
    super
  end

  def __first_of(*args)
    raise RangeError, "cannot get the first element of beginless range" if Primitive.range_begin(self).nil?
    return Primitive.range_begin(self) if args.empty?
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
    n = Primitive.integer_convert(args[0])
    raise ArgumentError, "negative array size (or size too big)" if n < 0
    list = []
    return list if n == 0
    each do |x|
      list << x
      return list if list.size >= n
    end
    list
  end

  def __last_of(*args)
    raise RangeError, "cannot get the last element of endless range" if Primitive.range_end(self).nil?
    return Primitive.range_end(self) if args.empty?
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
    first = Primitive.range_begin(self)
    whole = (first.nil? || Integer === first) && Integer === Primitive.range_end(self)
    list = Primitive.range_last_ints(self, args[0]) if whole
    list || to_a.last(*args)
  end

  def __least(*args, &block)
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    raise RangeError, "cannot get the minimum of beginless range" if first.nil?
    if block
      raise RangeError, "cannot get the minimum of endless range with custom comparison method" if last.nil?
      return __every_min(*args, &block)
    end
    return self.first(*args) unless args.empty?
    order = last.nil? ? -1 : Primitive.range_order(first, last)
    return nil if order.nil? || order > 0 || (order == 0 && Primitive.range_excl(self))
    first
  end

  def __greatest(*args, &block)
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    raise RangeError, "cannot get the maximum of endless range" if last.nil?
    if !args.empty? && !block && Integer === last && (first.nil? || Integer === first)
      n = Primitive.enumerable_size_arg(args[0], 1)
      last -= 1 if Primitive.range_excl(self)
      n = [n, last - first + 1].min if first
      return n > 0 ? Array.new(n) { |i| last - i } : []
    end
    __cannot_iterate if first.nil? && !args.empty? && !block
    if block || !args.empty? || (Primitive.range_excl(self) && !(Numeric === last))
      raise RangeError, "cannot get the maximum of beginless range with custom comparison method" if first.nil?
      return __every_max(*args, &block)
    end
    order = first.nil? ? -1 : Primitive.range_order(first, last)
    return nil if order.nil? || order > 0
    if Primitive.range_excl(self)
      raise TypeError, "cannot exclude non Integer end value" unless Integer === last
      return nil if order == 0
      raise TypeError, "cannot exclude end value with non Integer begin value" unless Integer === first || first.nil?
      return last - 1
    end
    last
  end

  def __extremes(&block)
    if block
      if Primitive.range_begin(self).nil?
        raise RangeError, "cannot get the minimum of beginless range with custom comparison method"
      end
      if Primitive.range_end(self).nil?
        raise RangeError, "cannot get the maximum of endless range with custom comparison method"
      end
      return __every_minmax(&block)
    end
    raise RangeError, "cannot get the minimum of beginless range" if Primitive.range_begin(self).nil?
    raise RangeError, "cannot get the maximum of endless range" if Primitive.range_end(self).nil?
    [min, max]
  end

  def __sum_of(init = 0, &block)
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    if !block && Integer === first && Integer === last && Integer === init
      last -= 1 if Primitive.range_excl(self)
      return init if last < first
      return init + (last - first + 1) * (last + first) / 2
    end
    __every_sum(init, &block)
  end

  def __includes(value)
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    if Numeric === first || Numeric === last || __linear(first) || __linear(last)
      return !(Range === value) && cover?(value)
    end
    return true if first.nil? && last.nil? && (Numeric === value || Time === value)
    if first.nil? || last.nil?
      raise TypeError, "cannot determine inclusion in beginless/endless ranges"
    end
    if String === first && String === last
      value = Primitive.string_try_convert(value)
      return false if value.nil?
      first.upto(last, Primitive.range_excl(self)) { |s| return true if s == value }
      return false
    end
    nil
  end

  def __linear(x)
    !x.nil? && !(String === x) && !(Symbol === x) && (Time === x || x.respond_to?(:to_int))
  end
  private :__includes, :__linear

  def __includes_item(value)
    found = __includes(value)
    found.nil? ? __every_include(value) : found
  end

  def %(step, &)
    __step(:%, [step], &)
  end

  def step(*args, &)
    __step(:step, args, &)
  end

  def __step(meth, args)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    numeric = Numeric === first
    if args.empty?
      unless numeric || String === first || Symbol === first || (first.nil? && Numeric === last)
        raise ArgumentError, "step is required for non-numeric ranges"
      end
      step = 1
    else
      step = args[0]
    end
    numeric_step = Numeric === step
    raise ArgumentError, "step can't be 0" if numeric_step && numeric && step == 0
    unless defined?(yield)
      if numeric_step && ((numeric && (last.nil? || Numeric === last)) || (first.nil? && Numeric === last))
        return Primitive.arithmetic_sequence_new(Enumerator::ArithmeticSequence, self, meth, args, first, last, step,
                                                 Primitive.range_excl(self))
      end
      raise ArgumentError, "#step for non-numeric beginless ranges is meaningless" if first.nil?
      return to_enum(meth, *args)
    end
    raise ArgumentError, "#step iteration for beginless ranges is meaningless" if first.nil?
    if numeric && numeric_step && (Float === first || Float === last || Float === step)
      __step_floats(first, last, step) { |f| yield f }
    elsif Integer === first && Integer === step && (last.nil? || Integer === last)
      i = first
      if last.nil?
        while true
          yield i
          i += step
        end
      elsif step > 0
        if Primitive.range_excl(self)
          while i < last
            yield i
            i += step
          end
        else
          while i <= last
            yield i
            i += step
          end
        end
      elsif Primitive.range_excl(self)
        while i > last
          yield i
          i += step
        end
      else
        while i >= last
          yield i
          i += step
        end
      end
    elsif (String === first || Symbol === first) && Integer === step
      raise ArgumentError, "step can't be negative" if step < 0
      raise ArgumentError, "step can't be 0" if step == 0
      n = 0
      each do |x|
        yield x if n % step == 0
        n += 1
      end
    else
      __step_values(first, last, step, numeric && numeric_step) { |x| yield x }
    end
    self
  end

  def __step_floats(first, last, step)
    last = step < 0 ? -Float::INFINITY : Float::INFINITY if last.nil?
    count = Primitive.numeric_float_step_size(first, first, last, step, Primitive.range_excl(self))
    start = Float(first)
    unit = Float(step)
    limit = Float(last)
    if unit.infinite?
      yield start if count > 0
      return
    end
    i = 0
    while i < count
      f = i * unit + start
      f = limit if unit >= 0 ? limit < f : f < limit
      yield f
      i += 1
    end
  end

  def __step_values(value, last, step, numeric)
    if last.nil?
      while true
        yield value
        value += step
      end
    elsif numeric && step < 0
      while (order = Primitive.range_order(last, value)) && (order < 0 || (order == 0 && !Primitive.range_excl(self)))
        yield value
        break if order == 0
        value += step
      end
    else
      direction = Primitive.range_order(value, last)
      if direction == 0
        yield value unless Primitive.range_excl(self)
      elsif direction && direction == Primitive.range_order(value, value + step)
        while (order = Primitive.range_order(value, last)) &&
            (order == direction || (order == 0 && !Primitive.range_excl(self)))
          yield value
          break if order == 0
          value += step
        end
      end
    end
  end
  private :__step, :__step_floats, :__step_values

  def bsearch(&block)
    low = Primitive.range_begin(self)
    high = Primitive.range_end(self)
    ints = (Integer === low || low.nil?) && (Integer === high || high.nil?) && !(low.nil? && high.nil?)
    floats = (Float === low || Float === high) && (low.nil? || Numeric === low) && (high.nil? || Numeric === high)
    raise TypeError, "can't do binary search for #{(low.nil? ? high : low).class}" unless ints || floats
    return Primitive.enumerator_of_call(self) unless block
    floats ? __bsearch_floats(low, high, &block) : __bsearch_ints(low, high, &block)
  end

  # -1: the search goes on below, 1: above, 0: found.
  def __direction(result)
    if result == true
      -1
    elsif result == false || result.nil?
      1
    elsif Numeric === result
      return nil if result == 0
      result < 0 ? -2 : 1
    else
      raise TypeError, "wrong argument type #{result.class} (must be numeric, true, false or nil)"
    end
  end

  def __bsearch_ints(low, high)
    if high.nil?
      # Doubling steps find a bound.
      step = 1
      while true
        probe = low + step
        direction = __direction(yield(probe))
        return probe if direction.nil?
        break if direction < 0
        low = probe
        step *= 2
      end
      high = probe
      limit = high + 1
    elsif low.nil?
      high -= 1 if Primitive.range_excl(self)
      step = 1
      while true
        probe = high - step
        direction = __direction(yield(probe))
        return probe if direction.nil?
        break if direction > 0
        high = probe
        step *= 2
      end
      low = probe
      limit = high + 1
    else
      limit = Primitive.range_excl(self) ? high : high + 1
    end
    found = nil
    while low < limit
      mid = (low + limit) >> 1
      answer = yield(mid)
      case answer
      when true
        found = mid
        limit = mid
      when false, nil
        low = mid + 1
      else
        direction = __direction(answer)
        return mid if direction.nil?
        if direction < 0
          limit = mid
        else
          low = mid + 1
        end
      end
    end
    found
  end

  # Floats in the order of their bits: the search takes at most 64 steps.
  def __bsearch_floats(low, high)
    a = Primitive.float_bits(low.nil? ? -Float::INFINITY : Float(low))
    b = Primitive.float_bits(high.nil? ? Float::INFINITY : Float(high))
    b -= 1 if Primitive.range_excl(self)
    found = nil
    while a <= b
      mid = (a + b).div(2)
      value = Primitive.float_of_bits(mid)
      direction = __direction(yield(value))
      return value if direction.nil?
      if direction < 0
        found = value if direction == -1
        b = mid - 1
      else
        a = mid + 1
      end
    end
    found
  end
  private :__direction, :__bsearch_ints, :__bsearch_floats

  # Second names.
  Primitive.module_copy_method(self, :collect, :map)
  Primitive.module_copy_method(self, :reduce, :inject)
  Primitive.module_copy_method(self, :entries, :to_a)
end

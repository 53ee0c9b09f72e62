# A block of ours gives `each` nil where one of CRuby's does: an `each` of a program may look at that,
# as `take_while.map` does.
module Enumerable
  def __enum_size
    respond_to?(:size, true) ? size : nil
  end

  def __one_pattern(args, block)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
    warn "given block not used", uplevel: 0 if block
  end

  # The operation of `inject`: taken off the arguments unless there is a block.
  def __inject_op(args, block)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected #{block ? 0 : 1}..2)" if args.size > 2
    return nil if block && args.size <= 1
    raise ArgumentError, "wrong number of arguments (given 0, expected 1..2)" if args.empty?
    warn "given block not used", uplevel: 0 if block && $VERBOSE
    __inject_name(args.pop)
  end

  # The Symbol that an argument of `inject` names.
  def __inject_name(op)
    return op if Symbol === op
    Primitive.symbol_convert(op)
  end
  # How messages name the class of what should have been an Array.
  def __named(value) = nil.equal?(value) || true.equal?(value) || false.equal?(value) ? value.inspect : value.class
  private :__named, :__enum_size, :__one_pattern, :__inject_op, :__inject_name

  def to_a(*args, **kw)
    list = []
    each(*args, **kw) do |*x, __many|
      list << x
      nil
    end
    list
  end

  def to_set(klass = nil, *args, &block)
    if klass.nil?
      return Set.new(self, *args, &block)
    end
    warn "passing arguments to Enumerable#to_set is deprecated and will be removed", category: :deprecated, uplevel: 0
    klass.new(self, *args, &block)
  end

  def map(&)
    return Primitive.enumerator_of_call(self) { __enum_size } unless defined?(yield)
    __map(&)
  end

  # `each` of the program may look at the arity of what it is given: for usual blocks it is that of the block.
  def __map(&)
    list = []
    case Primitive.block_plain_arity(self, &)
    when 1 then each { |x| list << yield(x); nil }
    when 2 then each { |x, y| list << yield(x, y); nil }
    else each { |*x, __many| list << (__many ? yield(*x) : yield(x)); nil }
    end
    list
  end

  def select(&)
    return Primitive.enumerator_of_call(self) { __enum_size } unless defined?(yield)
    __select(&)
  end

  def __select
    list = []
    each do |*x, __many|
      list << x if yield x
      nil
    end
    list
  end

  def reject
    return Primitive.enumerator_of_call(self) { __enum_size } unless defined?(yield)
    list = []
    each do |*x, __many|
      list << x unless yield x
      nil
    end
    list
  end

  def filter_map
    return Primitive.enumerator_of_call(self) { __enum_size } unless defined?(yield)
    list = []
    each do |*x, __many|
      value = __many ? yield(*x) : yield(x)
      list << value if value
      nil
    end
    list
  end

  def flat_map(&)
    return Primitive.enumerator_of_call(self) { __enum_size } unless defined?(yield)
    __flat_map(&)
  end

  def __flat_map
    list = []
    each do |*x, __many|
      value = __many ? yield(*x) : yield(x)
      nested = Primitive.array_try_convert(value)
      nested ? list.concat(nested) : list << value
      nil
    end
    list
  end

  def compact
    list = []
    each do |*x, __many|
      list << x unless nil == x
      nil
    end
    list
  end

  def find(ifnone = (none = true; nil), &)
    return Primitive.enumerator_of_call(self, *(none ? [] : [ifnone])) unless defined?(yield)
    __find(ifnone, &)
  end

  def __find(ifnone)
    each do |*x, __many|
      return x if yield x
    end
    ifnone&.call
  end

  def find_index(*args)
    i = 0
    unless args.empty?
      raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 1)" if args.size > 1
      warn "given block not used", uplevel: 0 if defined?(yield)
      wanted = args[0]
      each do |*x, __many|
        return i if x == wanted
        i += 1
        nil
      end
      return nil
    end
    return Primitive.enumerator_of_call(self) unless defined?(yield)
    each do |*x, __many|
      return i if (__many ? yield(*x) : yield(x))
      i += 1
      nil
    end
    nil
  end

  def first(n = (single = true))
    if single
      # Where the block runs in another thread its return raises there.
      found = nil
      each { |*x, __many| return found = x }
      return found
    end
    __take(n)
  end

  def take(n)
    __take(n)
  end

  def __take(n)
    n = Primitive.integer_convert(n)
    raise ArgumentError, "attempt to take negative size" if n < 0
    raise ArgumentError, "array size too big" if n > 0x0FFF_FFFF_FFFF_FFFF
    list = []
    return list if n == 0
    each do |*x, __many|
      list << x
      return list if list.size >= n
    end
    list
  end

  def take_while
    return Primitive.enumerator_of_call(self) unless defined?(yield)
    list = []
    each do |*x, __many|
      return list unless (__many ? yield(*x) : yield(x))
      list << x
      nil
    end
    list
  end

  def drop(n)
    n = Primitive.integer_convert(n)
    raise ArgumentError, "attempt to drop negative size" if n < 0
    list = []
    each do |*x, __many|
      if n > 0
        n -= 1
      else
        list << x
      end
      nil
    end
    list
  end

  def drop_while
    return Primitive.enumerator_of_call(self) unless defined?(yield)
    list = []
    dropping = true
    each do |*x, __many|
      dropping = false if dropping && !yield(x)
      list << x unless dropping
      nil
    end
    list
  end

  def include?(item)
    each do |*x, __many|
      return true if x == item
    end
    false
  end

  def count(*args)
    n = 0
    if !args.empty?
      raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 1)" if args.size > 1
      warn "given block not used", uplevel: 0 if defined?(yield)
      wanted = args[0]
      each { |*x, __many| n += 1 if x == wanted; nil }
    elsif defined?(yield)
      each { |*x, __many| n += 1 if (__many ? yield(*x) : yield(x)); nil }
    else
      each { n += 1; nil }
    end
    n
  end

  def all?(*pattern)
    if !pattern.empty?
      __one_pattern(pattern, defined?(yield))
      pattern = pattern[0]
      each { |*x, __many| return false unless pattern === x }
    elsif defined?(yield)
      each { |*x, __many| return false unless (__many ? yield(*x) : yield(x)) }
    else
      each { |*x, __many| return false unless x }
    end
    true
  end

  def any?(*pattern)
    if !pattern.empty?
      __one_pattern(pattern, defined?(yield))
      pattern = pattern[0]
      each { |*x, __many| return true if pattern === x }
    elsif defined?(yield)
      each { |*x, __many| return true if (__many ? yield(*x) : yield(x)) }
    else
      each { |*x, __many| return true if x }
    end
    false
  end

  def none?(*pattern)
    if !pattern.empty?
      __one_pattern(pattern, defined?(yield))
      pattern = pattern[0]
      each { |*x, __many| return false if pattern === x }
    elsif defined?(yield)
      each { |*x, __many| return false if (__many ? yield(*x) : yield(x)) }
    else
      each { |*x, __many| return false if x }
    end
    true
  end

  def one?(*pattern)
    n = 0
    if !pattern.empty?
      __one_pattern(pattern, defined?(yield))
      pattern = pattern[0]
      each { |*x, __many| return false if pattern === x && (n += 1) > 1 }
    elsif defined?(yield)
      each { |*x, __many| return false if (__many ? yield(*x) : yield(x)) && (n += 1) > 1 }
    else
      each { |*x, __many| return false if x && (n += 1) > 1 }
    end
    n == 1
  end

  def inject(*args, &block)
    __inject(args, __inject_op(args, block), &block)
  end

  def __inject(args, op)
    none = args.empty?
    memo = args[0]
    if op
      each do |*x, __many|
        if none
          none = false
          memo = x
        else
          memo = Primitive.call_public(memo, op, x)
        end
        nil
      end
    else
      each do |*x, __many|
        if none
          none = false
          memo = x
        else
          memo = yield memo, x
        end
        nil
      end
    end
    memo
  end

  def sum(init = 0)
    list = []
    if defined?(yield)
      # Several values are one Array, for a lambda, too.
      each do |*x, __many|
        __many = false
        list << yield(x)
        nil
      end
    else
      each { |*x, __many| list << x; nil }
    end
    Primitive.array_total(list, init)
  end

  def each_entry(*args, **kw)
    return Primitive.enumerator_of_call(self, *args, **kw) { __enum_size } unless defined?(yield)
    each(*args, **kw) { |*x, __many| yield(x); nil }
    self
  end

  def each_with_index(*args)
    return Primitive.enumerator_of_call(self, *args) { __enum_size } unless defined?(yield)
    i = -1
    each(*args) do |*x, __many|
      i += 1
      yield x, i
    end
    self
  end

  def each_with_object(memo)
    return Primitive.enumerator_of_call(self, memo) { __enum_size } unless defined?(yield)
    each { |*x, __many| yield x, memo }
    memo
  end

  def reverse_each(*args, &block)
    return Primitive.enumerator_of_call(self, *args) { __enum_size } unless block
    list = __listed(*args)
    i = list.size
    while i > 0
      i -= 1
      yield list[i]
      i = list.size if i > list.size
    end
    self
  end

  def each_slice(n)
    given = n
    n = Primitive.integer_convert(n)
    raise ArgumentError, "invalid slice size" if n <= 0
    unless defined?(yield)
      return Primitive.enumerator_of_call(self, given) do
        size = __enum_size
        size.nil? ? nil : (size.is_a?(Float) ? size : (size + n - 1).div(n))
      end
    end
    list = []
    each do |*x, __many|
      list << x
      if list.size == n
        part = list
        list = []
        __many = false
        yield part
      end
    end
    yield list unless list.empty?
    self
  end

  def each_cons(n)
    given = n
    n = Primitive.integer_convert(n)
    raise ArgumentError, "invalid size" if n <= 0
    unless defined?(yield)
      return Primitive.enumerator_of_call(self, given) do
        size = __enum_size
        size.nil? ? nil : (size = size + 1 - n; size < 0 ? 0 : size)
      end
    end
    list = []
    each do |*x, __many|
      list.shift if list.size == n
      list << x
      __many = false
      yield [*list] if list.size == n
    end
    self
  end

  def group_by
    return Primitive.enumerator_of_call(self) { __enum_size } unless defined?(yield)
    groups = {}
    each do |*x, __many|
      key = yield x
      group = groups[key]
      group ? group << x : groups[key] = [x]
      nil
    end
    groups
  end

  def partition
    return Primitive.enumerator_of_call(self) { __enum_size } unless defined?(yield)
    yes = []
    no = []
    each do |*x, __many|
      (yield x) ? yes << x : no << x
      nil
    end
    [yes, no]
  end

  def tally(hash = (none = true; nil))
    hash = none ? {} : Primitive.tally_table(hash)
    each { |*x, __many| Primitive.hash_count(hash, x); nil }
    hash
  end

  def to_h(*args)
    hash = {}
    if defined?(yield)
      each(*args) do |*x, __many|
        pair = __many ? yield(*x) : yield(x)
        list = Primitive.array_try_convert(pair)
        raise TypeError, "wrong element type #{__named(pair)} (expected array)" unless list
        raise ArgumentError, "element has wrong array length (expected 2, was #{list.size})" if list.size != 2
        hash[list[0]] = list[1]
        hash
      end
    else
      each(*args) do |*x, __many|
        pair = x
        list = Primitive.array_try_convert(pair)
        raise TypeError, "wrong element type #{__named(pair)} (expected array)" unless list
        raise ArgumentError, "element has wrong array length (expected 2, was #{list.size})" if list.size != 2
        hash[list[0]] = list[1]
        hash
      end
    end
    hash
  end

  def uniq
    table = {}
    if defined?(yield)
      each do |*x, __many|
        key = __many ? yield(*x) : yield(x)
        Primitive.hash_add_new(table, key, x)
        nil
      end
    else
      each do |*x, __many|
        Primitive.hash_add_new(table, x, x)
        nil
      end
    end
    Primitive.hash_values(table)
  end

  def sort(&block)
    Primitive.enumerable_sort(__listed, &block)
  end

  def sort_by
    return Primitive.enumerator_of_call(self) { __enum_size } unless defined?(yield)
    list = []
    keys = []
    each do |*x, __many|
      list << x
      keys << (yield x)
      nil
    end
    Primitive.array_sort_keys(list, keys)
  end

  def min(n = nil, &block)
    if n
      n = Primitive.enumerable_size_arg(n, 1)
      return n == 0 ? [] : Primitive.enumerable_sort(__listed, &block).take(n)
    end
    __extreme(-1, &block)
  end

  def max(n = nil, &block)
    if n
      n = Primitive.enumerable_size_arg(n, 1)
      return n == 0 ? [] : Primitive.enumerable_sort(__listed, &block).reverse.take(n)
    end
    __extreme(1, &block)
  end

  def __extreme(sign)
    none = true
    best = nil
    each do |*x, __many|
      if none
        none = false
        best = x
      else
        order =
          if defined?(yield)
            Primitive.enumerable_order(yield(x, best), x, best)
          else
            Primitive.enumerable_compare(x, best)
          end
        best = x if order == sign
      end
      nil
    end
    best
  end

  def minmax(&block)
    __listed.minmax(&block)
  end

  def min_by(n = (none = true; nil), &block)
    return Primitive.enumerator_of_call(self, *(none ? [] : [n])) { __enum_size } unless block
    if n
      n = Primitive.enumerable_size_arg(n, 2)
      return n == 0 ? [] : sort_by(&block).take(n)
    end
    __extreme_by(-1, &block)
  end

  def max_by(n = (none = true; nil), &block)
    return Primitive.enumerator_of_call(self, *(none ? [] : [n])) { __enum_size } unless block
    if n
      n = Primitive.enumerable_size_arg(n, 2)
      return n == 0 ? [] : sort_by(&block).reverse.take(n)
    end
    __extreme_by(1, &block)
  end

  # Neighbours are compared first, and then the smaller one with the least and the greater one with the greatest.
  def minmax_by
    return Primitive.enumerator_of_call(self) { __enum_size } unless defined?(yield)
    found = nil
    waiting = nil
    each do |*x, __many|
      pair = [x, yield(x)]
      if waiting
        order = Primitive.enumerable_compare(waiting[1], pair[1])
        low, high = order == 0 ? [waiting, waiting] : order < 0 ? [waiting, pair] : [pair, waiting]
        found = __wider(found, low, high)
        waiting = nil
      else
        waiting = pair
      end
      nil
    end
    found = __wider(found, waiting, waiting) if waiting
    found ? [found[0][0], found[1][0]] : [nil, nil]
  end

  # The least and the greatest of four pairs of a value and its key.
  def __wider(found, low, high)
    return [low, high] unless found
    found[0] = low if Primitive.enumerable_compare(low[1], found[0][1]) < 0
    found[1] = high if Primitive.enumerable_compare(high[1], found[1][1]) > 0
    found
  end
  private :__wider

  def __extreme_by(sign)
    none = true
    best = best_key = nil
    each do |*x, __many|
      key = yield x
      if none || Primitive.enumerable_compare(key, best_key) == sign
        none = false
        best = x
        best_key = key
      end
      nil
    end
    best
  end
  private :__map, :__select, :__flat_map, :__find, :__take, :__inject, :__extreme, :__extreme_by

  def grep(pattern)
    list = []
    if defined?(yield)
      each do |*x, __many|
        list << yield(x) if pattern === x
        nil
      end
    elsif Regexp === pattern && Regexp.equal?(pattern.class)
      each do |*x, __many|
        if (String === x || Symbol === x || (Object === x && !x.nil? && x.respond_to?(:to_str))) && pattern.match?(x)
          list << x
        end
        nil
      end
    else
      each do |*x, __many|
        list << x if pattern === x
        nil
      end
    end
    list
  end

  def grep_v(pattern)
    list = []
    if defined?(yield)
      each do |*x, __many|
        list << yield(x) unless pattern === x
        nil
      end
    elsif Regexp === pattern && Regexp.equal?(pattern.class)
      each do |*x, __many|
        unless (String === x || Symbol === x || (Object === x && !x.nil? && x.respond_to?(:to_str))) &&
            pattern.match?(x)
          list << x
        end
        nil
      end
    else
      each do |*x, __many|
        list << x unless pattern === x
        nil
      end
    end
    list
  end

  def cycle(n = (endless = true; nil))
    unless defined?(yield)
      return Primitive.enumerator_of_call(self, *(endless ? [] : [n])) do
        times = Primitive.integer_convert(n) unless n.nil?
        size = __enum_size
        if size.nil?
          nil
        elsif size == 0
          0
        elsif n.nil?
          Float::INFINITY
        else
          times <= 0 ? 0 : size * times
        end
      end
    end
    unless n.nil?
      n = Primitive.integer_convert(n)
      return nil if n <= 0
    end
    list = []
    packed = nil
    each do |*x, __many|
      (packed ||= [])[list.size] = true if __many
      list << x
      yield x
      nil
    end
    return nil if list.empty?
    # Several values come to the block in later rounds as they came in the first.
    again = proc { |*x, __many| yield x }
    rounds = 1
    while n.nil? || rounds < n
      i = 0
      while i < list.size
        packed && packed[i] ? again.call(*list[i]) : yield(list[i])
        i += 1
      end
      rounds += 1
    end
    nil
  end

  def zip(*others)
    lists = []
    others.each { |other| (list = Primitive.array_try_convert(other)) ? lists << list : break }
    if lists.size == others.size
      sources = nil
    else
      # What was converted before the first that is no array stays so.
      sources = [*lists, *others.drop(lists.size)].map do |other|
        raise TypeError, "wrong argument type #{other.class} (must respond to :each)" unless other.respond_to?(:each)
        other.to_enum(:each)
      end
    end
    rows = []
    i = 0
    each do |*x, __many|
      row = [x]
      if sources
        sources.map! do |source|
          if source
            begin
              row << source.next
              source
            rescue StopIteration
              row << nil
              nil
            end
          else
            row << nil
            nil
          end
        end
      else
        lists.each { |list| row << list[i] }
      end
      i += 1
      __many = !others.empty?
      defined?(yield) ? yield(others.empty? ? x : row) : rows << row
      nil
    end
    defined?(yield) ? nil : rows
  end

  def chunk(&block)
    return Primitive.enumerator_of_call(self) { __enum_size } unless block
    source = self
    Enumerator.new do |y|
      key = nil
      list = nil
      source.each do |*x, __many|
        value = block.call(x)
        if value.nil? || value == :_separator
          y.yield [key, list] if list
          list = nil
        elsif value == :_alone
          y.yield [key, list] if list
          y.yield [:_alone, [x]]
          list = nil
        elsif Symbol === value && value.start_with?("_")
          raise RuntimeError, "symbols beginning with an underscore are reserved"
        elsif list && key == value
          list << x
        else
          y.yield [key, list] if list
          key = value
          list = [x]
        end
        nil
      end
      y.yield [key, list] if list
      nil
    end
  end

  def slice_before(*pattern, &block)
    if block
      raise ArgumentError, "wrong number of arguments (given #{pattern.size}, expected 0)" unless pattern.empty?
    elsif pattern.size != 1
      raise ArgumentError, "wrong number of arguments (given #{pattern.size}, expected 1)"
    end
    pattern = pattern[0]
    source = self
    Enumerator.new do |y|
      list = nil
      source.each do |*x, __many|
        head = block ? block.call(x) : pattern === x
        if head && list
          y.yield list
          list = [x]
        else
          (list ||= []) << x
        end
        nil
      end
      y.yield list if list
      nil
    end
  end

  def slice_after(*pattern, &block)
    if block
      raise ArgumentError, "both pattern and block are given" unless pattern.empty?
    elsif pattern.size != 1
      raise ArgumentError, "wrong number of arguments (given #{pattern.size}, expected 1)"
    end
    pattern = pattern[0]
    source = self
    Enumerator.new do |y|
      list = nil
      source.each do |*x, __many|
        (list ||= []) << x
        if block ? block.call(x) : pattern === x
          y.yield list
          list = nil
        end
        nil
      end
      y.yield list if list
      nil
    end
  end

  def slice_when(&block)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    __slices(true, block)
  end

  def chunk_while(&block)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    __slices(false, block)
  end

  def __slices(cut, block)
    source = self
    Enumerator.new do |y|
      list = nil
      last = nil
      source.each do |*x, __many|
        if list.nil?
          list = [x]
        elsif (block.call(last, x) ? true : false) == cut
          y.yield list
          list = [x]
        else
          list << x
        end
        last = x
        nil
      end
      y.yield list if list
      nil
    end
  end
  private :__slices

  def chain(*others)
    Enumerator::Chain.new(self, *others)
  end

  def lazy
    Enumerator::Lazy.__over(self, :each, [], proc { __enum_size })
  end

  # What `each` gives, whatever a class says that its list is.
  Primitive.module_copy_method(self, :__listed, :to_a)
  private :__listed

  # Second names.
  Primitive.module_copy_method(self, :entries, :to_a)
  Primitive.module_copy_method(self, :collect, :map)
  Primitive.module_copy_method(self, :filter, :select)
  Primitive.module_copy_method(self, :find_all, :select)
  Primitive.module_copy_method(self, :collect_concat, :flat_map)
  Primitive.module_copy_method(self, :detect, :find)
  Primitive.module_copy_method(self, :member?, :include?)
  Primitive.module_copy_method(self, :reduce, :inject)

  # For classes that have faster forms of their own for some cases.
  Primitive.module_copy_method(self, :__every_count, :count)
  Primitive.module_copy_method(self, :__every_min, :min)
  Primitive.module_copy_method(self, :__every_max, :max)
  Primitive.module_copy_method(self, :__every_minmax, :minmax)
  Primitive.module_copy_method(self, :__every_sum, :sum)
  Primitive.module_copy_method(self, :__every_include, :include?)
end

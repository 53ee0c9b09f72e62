class Array
  def __init_by_block(size)
    i = 0
    while i < size
      item = yield i
      Primitive.array_put(self, i, item)
      i += 1
    end
  end

  def __fill_by_block(i, last)
    while i < last
      item = yield i
      break if i >= Primitive.array_len(self)
      Primitive.array_put(self, i, item)
      i += 1
    end
  end
  private :__init_by_block, :__fill_by_block

  def each
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    i = 0
    while i < Primitive.array_len(self)
      yield Primitive.array_at(self, i)
      i += 1
    end
    self
  end

  def each_index
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    i = 0
    while i < Primitive.array_len(self)
      yield i
      i += 1
    end
    self
  end

  def each_with_index(*args)
    return Primitive.enumerator_of_call(self, *args) { size } unless defined?(yield)
    return super unless args.empty?
    i = 0
    while i < Primitive.array_len(self)
      yield Primitive.array_at(self, i), i
      i += 1
    end
    self
  end

  def reverse_each
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    i = Primitive.array_len(self)
    while i > 0
      i -= 1
      yield Primitive.array_at(self, i)
      n = Primitive.array_len(self)
      i = n if i > n
    end
    self
  end

  def map
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    result = []
    i = 0
    while i < Primitive.array_len(self)
      result << (yield Primitive.array_at(self, i))
      i += 1
    end
    result
  end

  def map!
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    Primitive.object_check_frozen(self)
    i = 0
    while i < Primitive.array_len(self)
      item = yield Primitive.array_at(self, i)
      Primitive.array_put(self, i, item)
      i += 1
    end
    self
  end

  def select
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    result = []
    i = 0
    while i < Primitive.array_len(self)
      item = Primitive.array_at(self, i)
      result << item if yield item
      i += 1
    end
    result
  end

  def reject
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    result = []
    i = 0
    while i < Primitive.array_len(self)
      item = Primitive.array_at(self, i)
      result << item unless yield item
      i += 1
    end
    result
  end

  # Keeps the elements for which the block gives `wanted`; what was decided stands when the block exits early.
  def __filter(wanted)
    Primitive.object_check_frozen(self)
    before = Primitive.array_len(self)
    kept = i = 0
    begin
      while i < Primitive.array_len(self)
        item = Primitive.array_at(self, i)
        keep = (yield item) ? true : false
        i += 1
        if keep == wanted
          Primitive.array_put(self, kept, item) if kept != i - 1
          kept += 1
        end
      end
    ensure
      Primitive.array_keep(self, kept, i)
    end
    Primitive.array_len(self) != before
  end
  private :__filter

  def select!(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    __filter(true, &) ? self : nil
  end

  def keep_if(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    __filter(true, &)
    self
  end

  def reject!(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    __filter(false, &) ? self : nil
  end

  def delete_if(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    __filter(false, &)
    self
  end

  def find_index(item = (none = true))
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      return Primitive.array_index(self, item)
    end
    return Primitive.enumerator_of_call(self) unless defined?(yield)
    i = 0
    while i < Primitive.array_len(self)
      return i if yield Primitive.array_at(self, i)
      i += 1
    end
    nil
  end

  def rindex(item = (none = true))
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      return Primitive.array_rindex(self, item)
    end
    return Primitive.enumerator_of_call(self) unless defined?(yield)
    i = Primitive.array_len(self)
    while i > 0
      i -= 1
      return i if yield Primitive.array_at(self, i)
      n = Primitive.array_len(self)
      i = n if i > n
    end
    nil
  end

  def find(ifnone = (none = true; nil))
    return Primitive.enumerator_of_call(self, *(none ? [] : [ifnone])) unless defined?(yield)
    i = 0
    while i < Primitive.array_len(self)
      item = Primitive.array_at(self, i)
      return item if yield item
      i += 1
    end
    ifnone&.call
  end

  def rfind(ifnone = (none = true; nil))
    return Primitive.enumerator_of_call(self, *(none ? [] : [ifnone])) unless defined?(yield)
    i = Primitive.array_len(self)
    while i > 0
      i -= 1
      item = Primitive.array_at(self, i)
      return item if yield item
      n = Primitive.array_len(self)
      i = n if i > n
    end
    ifnone&.call
  end

  def count(item = (none = true))
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      return Primitive.array_count(self, item)
    end
    return Primitive.array_len(self) unless defined?(yield)
    n = i = 0
    while i < Primitive.array_len(self)
      n += 1 if yield Primitive.array_at(self, i)
      i += 1
    end
    n
  end

  # `fetch` of what is not there, or with anything special.
  private def __fetch(index, default = (none = true; nil))
    i = Primitive.integer_convert(index)
    n = Primitive.array_len(self)
    at = i < 0 ? i + n : i
    if defined?(yield)
      warn "block supersedes default value argument", uplevel: 0 unless none
    end
    return Primitive.array_at(self, at) if at >= 0 && at < n
    return yield index if defined?(yield)
    return default unless none
    raise IndexError, "index #{i} outside of array bounds: #{-n}...#{n}"
  end

  def fetch_values(*indexes, &block)
    indexes.map! { |i| fetch(i, &block) }
    indexes
  end

  def take_while
    return Primitive.enumerator_of_call(self) unless defined?(yield)
    i = 0
    while i < Primitive.array_len(self)
      break unless yield Primitive.array_at(self, i)
      i += 1
    end
    take(i)
  end

  def drop_while
    return Primitive.enumerator_of_call(self) unless defined?(yield)
    i = 0
    while i < Primitive.array_len(self)
      break unless yield Primitive.array_at(self, i)
      i += 1
    end
    drop(i)
  end

  def any?(pattern = (none = true))
    i = 0
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      while i < Primitive.array_len(self)
        return true if pattern === Primitive.array_at(self, i)
        i += 1
      end
      return false
    end
    if defined?(yield)
      while i < Primitive.array_len(self)
        return true if yield Primitive.array_at(self, i)
        i += 1
      end
    else
      while i < Primitive.array_len(self)
        return true if Primitive.array_at(self, i)
        i += 1
      end
    end
    false
  end

  def all?(pattern = (none = true))
    i = 0
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      while i < Primitive.array_len(self)
        return false unless pattern === Primitive.array_at(self, i)
        i += 1
      end
      return true
    end
    if defined?(yield)
      while i < Primitive.array_len(self)
        return false unless yield Primitive.array_at(self, i)
        i += 1
      end
    else
      while i < Primitive.array_len(self)
        return false unless Primitive.array_at(self, i)
        i += 1
      end
    end
    true
  end

  def none?(pattern = (none = true))
    i = 0
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      while i < Primitive.array_len(self)
        return false if pattern === Primitive.array_at(self, i)
        i += 1
      end
      return true
    end
    if defined?(yield)
      while i < Primitive.array_len(self)
        return false if yield Primitive.array_at(self, i)
        i += 1
      end
    else
      while i < Primitive.array_len(self)
        return false if Primitive.array_at(self, i)
        i += 1
      end
    end
    true
  end

  def one?(pattern = (none = true))
    i = found = 0
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      while i < Primitive.array_len(self)
        return false if pattern === Primitive.array_at(self, i) && (found += 1) > 1
        i += 1
      end
      return found == 1
    end
    if defined?(yield)
      while i < Primitive.array_len(self)
        return false if (yield Primitive.array_at(self, i)) && (found += 1) > 1
        i += 1
      end
    else
      while i < Primitive.array_len(self)
        return false if Primitive.array_at(self, i) && (found += 1) > 1
        i += 1
      end
    end
    found == 1
  end

  def inject(memo = (none = true), op = (single = true; nil), *more)
    if !single
      unless more.empty?
        raise ArgumentError,
              "wrong number of arguments (given #{more.size + 2}, expected #{defined?(yield) ? 0 : 1}..2)"
      end
      warn "given block not used", uplevel: 0 if $VERBOSE && defined?(yield)
      op = __inject_name(op)
    elsif !defined?(yield)
      raise ArgumentError, "wrong number of arguments (given 0, expected 1..2)" if none
      op = __inject_name(memo)
      none = true
    end
    i = 0
    if none
      return nil if Primitive.array_len(self) == 0
      memo = Primitive.array_at(self, 0)
      i = 1
    end
    if op == :+ && (sum = Primitive.array_add_integers(self, memo, i))
      memo, i = sum
      while i < Primitive.array_len(self)
        memo += Primitive.array_at(self, i)
        i += 1
      end
    elsif op
      while i < Primitive.array_len(self)
        memo = Primitive.call_public(memo, op, Primitive.array_at(self, i))
        i += 1
      end
    else
      while i < Primitive.array_len(self)
        memo = yield memo, Primitive.array_at(self, i)
        i += 1
      end
    end
    memo
  end

  # `sum` with a block.
  private def __sum_by(init = 0)
    values = []
    i = 0
    while i < Primitive.array_len(self)
      values << (yield Primitive.array_at(self, i))
      i += 1
    end
    Primitive.array_total(values, init)
  end

  def sort_by
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    keys = []
    items = []
    i = 0
    while i < Primitive.array_len(self)
      items << (item = Primitive.array_at(self, i))
      keys << (yield item)
      i += 1
    end
    Primitive.array_sort_keys(items, keys)
  end

  def sort_by!
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    Primitive.object_check_frozen(self)
    items = []
    keys = []
    i = 0
    while i < Primitive.array_len(self)
      items << (item = Primitive.array_at(self, i))
      keys << (yield item)
      i += 1
    end
    Primitive.array_replace(self, Primitive.array_sort_keys(items, keys))
  end

  # `min` with a number or a block.
  private def __min_of(n = nil, &block)
    if n
      n = Primitive.enumerable_size_arg(n, 1)
      return [] if n == 0
      return block ? sort(&block).take(n) : Primitive.enumerable_sort(self).take(n)
    end
    return nil if Primitive.array_len(self) == 0
    best = Primitive.array_at(self, 0)
    i = 1
    while i < Primitive.array_len(self)
      item = Primitive.array_at(self, i)
      best = item if Primitive.enumerable_order(yield(item, best), item, best) < 0
      i += 1
    end
    best
  end

  # `max` with a number or a block.
  private def __max_of(n = nil, &block)
    if n
      n = Primitive.enumerable_size_arg(n, 1)
      return n == 0 ? [] : (block ? sort(&block) : Primitive.enumerable_sort(self)).reverse.take(n)
    end
    return nil if Primitive.array_len(self) == 0
    best = Primitive.array_at(self, 0)
    i = 1
    while i < Primitive.array_len(self)
      item = Primitive.array_at(self, i)
      best = item if Primitive.enumerable_order(yield(item, best), item, best) > 0
      i += 1
    end
    best
  end

  def tally(hash = (none = true; nil))
    Primitive.array_tally(self, none ? {} : Primitive.tally_table(hash))
  end

  # `minmax` with a block: of each two items the lesser is compared with the least, the greater with the greatest.
  private def __minmax_of
    least = greatest = nil
    i = 0
    while i < Primitive.array_len(self)
      low = high = Primitive.array_at(self, i)
      if i + 1 < Primitive.array_len(self)
        high = Primitive.array_at(self, i + 1)
        order = Primitive.enumerable_order(yield(low, high), low, high)
        if order > 0
          low, high = high, low
        elsif order == 0
          high = low
        end
      end
      if i == 0
        least, greatest = low, high
      else
        least = low if Primitive.enumerable_order(yield(low, least), low, least) < 0
        greatest = high if Primitive.enumerable_order(yield(high, greatest), high, greatest) > 0
      end
      i += 2
    end
    [least, greatest]
  end

  def minmax(&block)
    block ? __minmax_of(&block) : [min, max]
  end

  def uniq
    return Primitive.array_uniq(self) unless defined?(yield)
    table = {}
    i = 0
    while i < Primitive.array_len(self)
      item = Primitive.array_at(self, i)
      key = yield item
      Primitive.hash_add_new(table, key, item)
      i += 1
    end
    Primitive.hash_values(table)
  end

  def uniq!
    Primitive.object_check_frozen(self)
    return Primitive.array_uniq_bang(self) unless defined?(yield)
    table = {}
    i = 0
    while i < Primitive.array_len(self)
      item = Primitive.array_at(self, i)
      key = yield item
      Primitive.hash_add_new(table, key, item)
      i += 1
    end
    return nil if table.size == Primitive.array_len(self)
    Primitive.array_replace(self, Primitive.hash_values(table))
  end

  def zip(*others)
    lists = others.map do |other|
      list = Primitive.array_try_convert(other)
      next list if list
      # Nothing is taken of what stands beside an empty array.
      next list if Primitive.array_len(self) == 0
      raise TypeError, "wrong argument type #{other.class} (must respond to :each)" unless other.respond_to?(:each)
      other
    end
    lists.map! { |list| Array === list ? list : list.to_enum(:each).first(Primitive.array_len(self)) }
    return Primitive.array_zip(self, *lists) unless defined?(yield)
    i = 0
    while i < Primitive.array_len(self)
      row = [Primitive.array_at(self, i)]
      lists.each { |list| row << Primitive.array_at(list, i) }
      yield row
      i += 1
    end
    nil
  end

  def product(*arrays)
    return Primitive.array_product(self, *arrays) unless defined?(yield)
    lists = [self, *arrays].map { |list| [*Primitive.array_convert(list)] }
    sizes = lists.map { |list| list.size }
    return self if sizes.include?(0)
    at = Array.new(lists.size, 0)
    while true
      yield __row(lists, at)
      i = lists.size - 1
      while i >= 0
        at[i] += 1
        break if at[i] < sizes[i]
        at[i] = 0
        i -= 1
      end
      break if i < 0
    end
    self
  end

  def __row(lists, at)
    row = []
    i = 0
    while i < lists.size
      row << lists[i][at[i]]
      i += 1
    end
    row
  end
  private :__row

  def cycle(n = (endless = true; nil))
    unless defined?(yield)
      return Primitive.enumerator_of_call(self, *(endless ? [] : [n])) do
        if n.nil?
          size == 0 ? 0 : Float::INFINITY
        else
          [size * Primitive.integer_convert(n), 0].max
        end
      end
    end
    if n.nil?
      while Primitive.array_len(self) > 0
        i = 0
        while i < Primitive.array_len(self)
          yield Primitive.array_at(self, i)
          i += 1
        end
      end
    else
      n = Primitive.integer_convert(n)
      while n > 0 && Primitive.array_len(self) > 0
        i = 0
        while i < Primitive.array_len(self)
          yield Primitive.array_at(self, i)
          i += 1
        end
        n -= 1
      end
    end
    nil
  end

  def combination(k)
    given = k
    k = Primitive.integer_convert(k)
    return Primitive.enumerator_of_call(self, given) { __binomial(size, k) } unless defined?(yield)
    items = [*self]
    n = items.size
    return self if k < 0 || k > n
    at = Array.new(k) { |i| i }
    while true
      yield Primitive.array_pick(items, at)
      i = k - 1
      i -= 1 while i >= 0 && at[i] == n - k + i
      break if i < 0
      at[i] += 1
      i += 1
      while i < k
        at[i] = at[i - 1] + 1
        i += 1
      end
    end
    self
  end

  def repeated_combination(k)
    unless defined?(yield)
      return Primitive.enumerator_of_call(self, k) do
        k = Primitive.integer_convert(k)
        k < 0 ? 0 : (k == 0 ? 1 : __binomial(size + k - 1, k))
      end
    end
    k = Primitive.integer_convert(k)
    items = [*self]
    n = items.size
    return self if k < 0 || (n == 0 && k > 0)
    at = Array.new(k, 0)
    while true
      yield Primitive.array_pick(items, at)
      i = k - 1
      i -= 1 while i >= 0 && at[i] == n - 1
      break if i < 0
      value = at[i] + 1
      while i < k
        at[i] = value
        i += 1
      end
    end
    self
  end

  def permutation(k = (none = true; nil))
    unless defined?(yield)
      return Primitive.enumerator_of_call(self, *(none ? [] : [k])) do
        __falling(size, k.nil? ? size : Primitive.integer_convert(k))
      end
    end
    items = [*self]
    n = items.size
    k = k.nil? ? n : Primitive.integer_convert(k)
    return self if k < 0 || k > n
    at = Array.new(k) { |i| i }
    used = Array.new(n) { |i| i < k }
    while true
      yield Primitive.array_pick(items, at)
      # The last position that has an unused larger index moves on; those behind it start anew.
      i = k - 1
      while i >= 0
        used[at[i]] = false
        j = at[i] + 1
        j += 1 while j < n && used[j]
        break if j < n
        i -= 1
      end
      break if i < 0
      at[i] = j
      used[j] = true
      i += 1
      j = 0
      while i < k
        j += 1 while used[j]
        at[i] = j
        used[j] = true
        i += 1
      end
    end
    self
  end

  def repeated_permutation(k)
    unless defined?(yield)
      return Primitive.enumerator_of_call(self, k) do
        k = Primitive.integer_convert(k)
        k < 0 ? 0 : size**k
      end
    end
    k = Primitive.integer_convert(k)
    items = [*self]
    n = items.size
    return self if k < 0 || (n == 0 && k > 0)
    at = Array.new(k, 0)
    while true
      yield Primitive.array_pick(items, at)
      i = k - 1
      while i >= 0
        at[i] += 1
        break if at[i] < n
        at[i] = 0
        i -= 1
      end
      break if i < 0
    end
    self
  end

  def __binomial(n, k)
    return 0 if k < 0 || k > n
    k = n - k if k > n - k
    result = 1
    i = 1
    while i <= k
      result = result * (n - k + i) / i
      i += 1
    end
    result
  end

  def __falling(n, k)
    return 0 if k < 0 || k > n
    result = 1
    while k > 0
      result *= n
      n -= 1
      k -= 1
    end
    result
  end
  private :__binomial, :__falling

  def bsearch
    return Primitive.enumerator_of_call(self) unless defined?(yield)
    i = __bsearch { |item| yield item }
    i && Primitive.array_at(self, i)
  end

  def bsearch_index
    return Primitive.enumerator_of_call(self) unless defined?(yield)
    __bsearch { |item| yield item }
  end

  def __bsearch
    low = 0
    high = Primitive.array_len(self)
    found = nil
    while low < high
      mid = low + (high - low) / 2
      result = yield Primitive.array_at(self, mid)
      if result == true
        found = mid
        high = mid
      elsif result == false || result.nil?
        low = mid + 1
      elsif Numeric === result
        return mid if result == 0
        if result < 0
          high = mid
        else
          low = mid + 1
        end
      else
        raise TypeError, "wrong argument type #{result.class} (must be numeric, true, false or nil)"
      end
    end
    found
  end
  private :__bsearch

  def to_h
    return Primitive.array_to_h(self) unless defined?(yield)
    hash = {}
    i = 0
    while i < Primitive.array_len(self)
      pair = yield Primitive.array_at(self, i)
      list = Primitive.array_try_convert(pair)
      raise TypeError, "wrong element type #{pair.class} at #{i} (expected array)" unless list
      raise ArgumentError, "wrong array length at #{i} (expected 2, was #{list.size})" if list.size != 2
      hash[list[0]] = list[1]
      i += 1
    end
    hash
  end

  def filter_map
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    result = []
    i = 0
    while i < Primitive.array_len(self)
      value = yield Primitive.array_at(self, i)
      result << value if value
      i += 1
    end
    result
  end

  def flat_map
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    result = []
    i = 0
    while i < Primitive.array_len(self)
      value = yield Primitive.array_at(self, i)
      list = Primitive.array_try_convert(value)
      list ? result.concat(list) : result << value
      i += 1
    end
    result
  end

  def shuffle!(random: Random)
    Primitive.array_shuffle_bang(self, random)
  end

  def shuffle(random: Random)
    Primitive.array_shuffle(self, random)
  end

  # `sample` with a number or a generator.
  private def __sample(n = (single = true), random: Random)
    len = Primitive.array_len(self)
    if single
      return nil if len == 0
      return Primitive.array_at(self, len == 1 ? 0 : Primitive.random_below(random, len))
    end
    n = Primitive.integer_convert(n)
    raise ArgumentError, "negative sample number" if n < 0
    n = len if n > len
    Primitive.array_draw(self, n, random)
  end

  def each_slice(n)
    given = n
    n = Primitive.integer_convert(n)
    raise ArgumentError, "invalid slice size" if n <= 0
    return Primitive.enumerator_of_call(self, given) { (size + n - 1).div(n) } unless defined?(yield)
    i = 0
    while i < Primitive.array_len(self)
      yield Primitive.array_part(self, i, n)
      i += n
    end
    self
  end

  def each_cons(n)
    given = n
    n = Primitive.integer_convert(n)
    raise ArgumentError, "invalid size" if n <= 0
    return Primitive.enumerator_of_call(self, given) { size < n ? 0 : size - n + 1 } unless defined?(yield)
    i = 0
    while i + n <= Primitive.array_len(self)
      yield Primitive.array_part(self, i, n)
      i += 1
    end
    self
  end

  # Second names.
  Primitive.module_copy_method(self, :collect, :map)
  Primitive.module_copy_method(self, :collect!, :map!)
  Primitive.module_copy_method(self, :filter, :select)
  Primitive.module_copy_method(self, :filter!, :select!)
  Primitive.module_copy_method(self, :detect, :find)
  Primitive.module_copy_method(self, :index, :find_index)
  Primitive.module_copy_method(self, :reduce, :inject)
end

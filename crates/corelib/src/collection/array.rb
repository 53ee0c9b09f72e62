class Array
  def __init_by_block(size)
    i = 0
    while i < size
      item = yield i
      __put(i, item)
      i += 1
    end
  end

  def __fill_by_block(i, last)
    while i < last
      item = yield i
      break if i >= __len
      __put(i, item)
      i += 1
    end
  end
  private :__init_by_block, :__fill_by_block

  def each
    return __enum { size } unless defined?(yield)
    i = 0
    while i < __len
      yield __at(i)
      i += 1
    end
    self
  end

  def each_index
    return __enum { size } unless defined?(yield)
    i = 0
    while i < __len
      yield i
      i += 1
    end
    self
  end

  def each_with_index(*args)
    return __enum(*args) { size } unless defined?(yield)
    return super unless args.empty?
    i = 0
    while i < __len
      yield __at(i), i
      i += 1
    end
    self
  end

  def reverse_each
    return __enum { size } unless defined?(yield)
    i = __len
    while i > 0
      i -= 1
      yield __at(i)
      n = __len
      i = n if i > n
    end
    self
  end

  def map
    return __enum { size } unless defined?(yield)
    result = []
    i = 0
    while i < __len
      result << (yield __at(i))
      i += 1
    end
    result
  end

  def map!
    return __enum { size } unless defined?(yield)
    __check_frozen
    i = 0
    while i < __len
      item = yield __at(i)
      __put(i, item)
      i += 1
    end
    self
  end

  def select
    return __enum { size } unless defined?(yield)
    result = []
    i = 0
    while i < __len
      item = __at(i)
      result << item if yield item
      i += 1
    end
    result
  end

  def reject
    return __enum { size } unless defined?(yield)
    result = []
    i = 0
    while i < __len
      item = __at(i)
      result << item unless yield item
      i += 1
    end
    result
  end

  # Keeps the elements for which the block gives `wanted`; what was decided stands when the block exits early.
  def __filter(wanted)
    __check_frozen
    before = __len
    kept = i = 0
    begin
      while i < __len
        item = __at(i)
        keep = (yield item) ? true : false
        i += 1
        if keep == wanted
          __put(kept, item) if kept != i - 1
          kept += 1
        end
      end
    ensure
      __keep(kept, i)
    end
    __len != before
  end
  private :__filter

  def select!(&)
    return __enum { size } unless defined?(yield)
    __filter(true, &) ? self : nil
  end

  def keep_if(&)
    return __enum { size } unless defined?(yield)
    __filter(true, &)
    self
  end

  def reject!(&)
    return __enum { size } unless defined?(yield)
    __filter(false, &) ? self : nil
  end

  def delete_if(&)
    return __enum { size } unless defined?(yield)
    __filter(false, &)
    self
  end

  def find_index(item = (none = true))
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      return __index(item)
    end
    return __enum unless defined?(yield)
    i = 0
    while i < __len
      return i if yield __at(i)
      i += 1
    end
    nil
  end

  def rindex(item = (none = true))
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      return __rindex(item)
    end
    return __enum unless defined?(yield)
    i = __len
    while i > 0
      i -= 1
      return i if yield __at(i)
      n = __len
      i = n if i > n
    end
    nil
  end

  def find(ifnone = nil)
    return __enum(ifnone) unless defined?(yield)
    i = 0
    while i < __len
      item = __at(i)
      return item if yield item
      i += 1
    end
    ifnone&.call
  end

  def rfind(ifnone = nil)
    return __enum(ifnone) unless defined?(yield)
    i = __len
    while i > 0
      i -= 1
      item = __at(i)
      return item if yield item
      n = __len
      i = n if i > n
    end
    ifnone&.call
  end

  def count(item = (none = true))
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      return __count(item)
    end
    return __len unless defined?(yield)
    n = i = 0
    while i < __len
      n += 1 if yield __at(i)
      i += 1
    end
    n
  end

  # `fetch` of what is not there, or with anything special.
  private def __fetch(index, default = (none = true; nil))
    i = __to_index(index)
    n = __len
    at = i < 0 ? i + n : i
    if defined?(yield)
      warn "block supersedes default value argument", uplevel: 0 unless none
    end
    return __at(at) if at >= 0 && at < n
    return yield index if defined?(yield)
    return default unless none
    raise IndexError, "index #{i} outside of array bounds: #{-n}...#{n}"
  end

  def fetch_values(*indexes, &block)
    indexes.map! { |i| fetch(i, &block) }
    indexes
  end

  def take_while
    return __enum unless defined?(yield)
    i = 0
    while i < __len
      break unless yield __at(i)
      i += 1
    end
    take(i)
  end

  def drop_while
    return __enum unless defined?(yield)
    i = 0
    while i < __len
      break unless yield __at(i)
      i += 1
    end
    drop(i)
  end

  def any?(pattern = (none = true))
    i = 0
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      while i < __len
        return true if pattern === __at(i)
        i += 1
      end
      return false
    end
    if defined?(yield)
      while i < __len
        return true if yield __at(i)
        i += 1
      end
    else
      while i < __len
        return true if __at(i)
        i += 1
      end
    end
    false
  end

  def all?(pattern = (none = true))
    i = 0
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      while i < __len
        return false unless pattern === __at(i)
        i += 1
      end
      return true
    end
    if defined?(yield)
      while i < __len
        return false unless yield __at(i)
        i += 1
      end
    else
      while i < __len
        return false unless __at(i)
        i += 1
      end
    end
    true
  end

  def none?(pattern = (none = true))
    i = 0
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      while i < __len
        return false if pattern === __at(i)
        i += 1
      end
      return true
    end
    if defined?(yield)
      while i < __len
        return false if yield __at(i)
        i += 1
      end
    else
      while i < __len
        return false if __at(i)
        i += 1
      end
    end
    true
  end

  def one?(pattern = (none = true))
    i = found = 0
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      while i < __len
        return false if pattern === __at(i) && (found += 1) > 1
        i += 1
      end
      return found == 1
    end
    if defined?(yield)
      while i < __len
        return false if (yield __at(i)) && (found += 1) > 1
        i += 1
      end
    else
      while i < __len
        return false if __at(i) && (found += 1) > 1
        i += 1
      end
    end
    found == 1
  end

  def inject(memo = (none = true), op = (single = true; nil), *more)
    if !single
      raise ArgumentError, "wrong number of arguments (given #{more.size + 2}, expected #{defined?(yield) ? 0 : 1}..2)" unless more.empty?
      warn "given block not used", uplevel: 0 if $VERBOSE && defined?(yield)
      op = __inject_name(op)
    elsif !defined?(yield)
      raise ArgumentError, "wrong number of arguments (given 0, expected 1..2)" if none
      op = __inject_name(memo)
      none = true
    end
    i = 0
    if none
      return nil if __len == 0
      memo = __at(0)
      i = 1
    end
    if op == :+ && (sum = __add_integers(memo, i))
      memo, i = sum
      while i < __len
        memo += __at(i)
        i += 1
      end
    elsif op
      while i < __len
        memo = memo.__send__(op, __at(i))
        i += 1
      end
    else
      while i < __len
        memo = yield memo, __at(i)
        i += 1
      end
    end
    memo
  end

  # `sum` with a block.
  private def __sum_by(init = 0)
    values = []
    i = 0
    while i < __len
      values << (yield __at(i))
      i += 1
    end
    __total(values, init)
  end

  def sort_by
    return __enum { size } unless defined?(yield)
    keys = []
    items = []
    i = 0
    while i < __len
      items << (item = __at(i))
      keys << (yield item)
      i += 1
    end
    __sort_keys(items, keys)
  end

  def sort_by!
    return __enum { size } unless defined?(yield)
    __check_frozen
    items = []
    keys = []
    i = 0
    while i < __len
      items << (item = __at(i))
      keys << (yield item)
      i += 1
    end
    __aset_all(__sort_keys(items, keys))
  end

  # `min` with a number or a block.
  private def __min_of(n = nil, &block)
    if n
      n = __size_arg(n)
      return block ? sort(&block).take(n) : __sorted_list(self).take(n)
    end
    return nil if __len == 0
    best = __at(0)
    i = 1
    while i < __len
      item = __at(i)
      best = item if __order(yield(item, best), item, best) < 0
      i += 1
    end
    best
  end

  # `max` with a number or a block.
  private def __max_of(n = nil, &block)
    return (block ? sort(&block) : __sorted_list(self)).reverse.take(__size_arg(n)) if n
    return nil if __len == 0
    best = __at(0)
    i = 1
    while i < __len
      item = __at(i)
      best = item if __order(yield(item, best), item, best) > 0
      i += 1
    end
    best
  end

  def tally(hash = nil)
    __tally(hash.nil? ? {} : __tally_table(hash))
  end

  def minmax(&block)
    [min(&block), max(&block)]
  end

  def uniq
    return __uniq unless defined?(yield)
    table = {}
    i = 0
    while i < __len
      item = __at(i)
      key = yield item
      __add_new(table, key, item)
      i += 1
    end
    __values(table)
  end

  def uniq!
    __check_frozen
    return __uniq! unless defined?(yield)
    table = {}
    i = 0
    while i < __len
      item = __at(i)
      key = yield item
      __add_new(table, key, item)
      i += 1
    end
    return nil if table.size == __len
    __aset_all(__values(table))
  end

  def zip(*others)
    lists = others.map do |other|
      list = __try_array(other)
      next list if list
      raise TypeError, "wrong argument type #{other.class} (must respond to :each)" unless other.respond_to?(:each)
      other
    end
    lists.map! { |list| Array === list ? list : list.to_enum(:each).first(__len) }
    rows = __zip(self, *lists)
    return rows unless defined?(yield)
    rows.each { |row| yield row }
    nil
  end

  def product(*arrays)
    return __product(*arrays) unless defined?(yield)
    lists = [self, *arrays].map { |list| [*__to_array(list)] }
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
      return __enum(*(endless ? [] : [n])) do
        if n.nil?
          size == 0 ? 0 : Float::INFINITY
        else
          [size * __to_index(n), 0].max
        end
      end
    end
    if n.nil?
      while __len > 0
        i = 0
        while i < __len
          yield __at(i)
          i += 1
        end
      end
    else
      n = __to_index(n)
      while n > 0 && __len > 0
        i = 0
        while i < __len
          yield __at(i)
          i += 1
        end
        n -= 1
      end
    end
    nil
  end

  def combination(k)
    unless defined?(yield)
      return __enum(k) { __binomial(size, __to_index(k)) }
    end
    k = __to_index(k)
    items = [*self]
    n = items.size
    return self if k < 0 || k > n
    at = Array.new(k) { |i| i }
    while true
      yield __pick(items, at)
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
      return __enum(k) do
        k = __to_index(k)
        k < 0 ? 0 : (k == 0 ? 1 : __binomial(size + k - 1, k))
      end
    end
    k = __to_index(k)
    items = [*self]
    n = items.size
    return self if k < 0 || (n == 0 && k > 0)
    at = Array.new(k, 0)
    while true
      yield __pick(items, at)
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

  def permutation(k = nil)
    unless defined?(yield)
      return __enum(*(k.nil? ? [] : [k])) { __falling(size, k.nil? ? size : __to_index(k)) }
    end
    items = [*self]
    n = items.size
    k = k.nil? ? n : __to_index(k)
    return self if k < 0 || k > n
    at = Array.new(k) { |i| i }
    used = Array.new(n) { |i| i < k }
    while true
      yield __pick(items, at)
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
      return __enum(k) do
        k = __to_index(k)
        k < 0 ? 0 : size**k
      end
    end
    k = __to_index(k)
    items = [*self]
    n = items.size
    return self if k < 0 || (n == 0 && k > 0)
    at = Array.new(k, 0)
    while true
      yield __pick(items, at)
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
    return __enum unless defined?(yield)
    i = __bsearch { |item| yield item }
    i && __at(i)
  end

  def bsearch_index
    return __enum unless defined?(yield)
    __bsearch { |item| yield item }
  end

  def __bsearch
    low = 0
    high = __len
    found = nil
    while low < high
      mid = low + (high - low) / 2
      result = yield __at(mid)
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
    return __to_h unless defined?(yield)
    hash = {}
    i = 0
    while i < __len
      pair = yield __at(i)
      list = __try_array(pair)
      raise TypeError, "wrong element type #{pair.class} at #{i} (expected array)" unless list
      raise ArgumentError, "wrong array length at #{i} (expected 2, was #{list.size})" if list.size != 2
      hash[list[0]] = list[1]
      i += 1
    end
    hash
  end

  def filter_map
    return __enum { size } unless defined?(yield)
    result = []
    i = 0
    while i < __len
      value = yield __at(i)
      result << value if value
      i += 1
    end
    result
  end

  def flat_map
    return __enum { size } unless defined?(yield)
    result = []
    i = 0
    while i < __len
      value = yield __at(i)
      list = __try_array(value)
      list ? result.concat(list) : result << value
      i += 1
    end
    result
  end

  def shuffle!(random: Random)
    __shuffle!(random)
  end

  def shuffle(random: Random)
    __shuffle(random)
  end

  # `sample` with a number or a generator.
  private def __sample(n = (single = true), random: Random)
    len = __len
    if single
      return nil if len == 0
      return __at(len == 1 ? 0 : __below(random, len))
    end
    n = __to_index(n)
    raise ArgumentError, "negative sample number" if n < 0
    n = len if n > len
    __draw(n, random)
  end

  def each_slice(n)
    n = __to_index(n)
    raise ArgumentError, "invalid slice size" if n <= 0
    return __enum(n) { (size + n - 1).div(n) } unless defined?(yield)
    i = 0
    while i < __len
      yield __part(i, n)
      i += n
    end
    self
  end

  def each_cons(n)
    n = __to_index(n)
    raise ArgumentError, "invalid size" if n <= 0
    return __enum(n) { size < n ? 0 : size - n + 1 } unless defined?(yield)
    i = 0
    while i + n <= __len
      yield __part(i, n)
      i += 1
    end
    self
  end

  # Second names.
  __copy :collect, :map
  __copy :collect!, :map!
  __copy :filter, :select
  __copy :filter!, :select!
  __copy :detect, :find
  __copy :index, :find_index
  __copy :reduce, :inject
end

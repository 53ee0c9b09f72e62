class Hash
  def each(&)
    return __enum { size } unless defined?(yield)
    two = __wants_pair(&)
    i = -1
    __enter
    begin
      if two
        yield __key(i), __value(i) while (i = __next(i + 1))
      else
        yield __pair(i) while (i = __next(i + 1))
      end
    ensure
      __leave
    end
    self
  end

  def each_key
    return __enum { size } unless defined?(yield)
    i = -1
    __enter
    begin
      yield __key(i) while (i = __next(i + 1))
    ensure
      __leave
    end
    self
  end

  def each_value
    return __enum { size } unless defined?(yield)
    i = -1
    __enter
    begin
      yield __value(i) while (i = __next(i + 1))
    ensure
      __leave
    end
    self
  end

  def __filtered(wanted, &)
    result = __plain_copy
    result.__keep(wanted, &)
    result
  end

  def __filter!(drop)
    __check_frozen
    before = __len
    i = -1
    __enter
    begin
      while (i = __next(i + 1))
        if yield(__key(i), __value(i))
          __delete_at(i) if drop
        else
          __delete_at(i) unless drop
        end
      end
    ensure
      __leave
    end
    __len != before
  end
  def __keep(wanted, &) = __filter!(!wanted, &)
  private :__filtered, :__filter!
  protected :__keep

  def select(&)
    return __enum { size } unless defined?(yield)
    __filtered(true, &)
  end

  def reject(&)
    return __enum { size } unless defined?(yield)
    __filtered(false, &)
  end

  def select!(&)
    return __enum { size } unless defined?(yield)
    __filter!(false, &) ? self : nil
  end

  def keep_if(&)
    return __enum { size } unless defined?(yield)
    __filter!(false, &)
    self
  end

  def reject!(&)
    return __enum { size } unless defined?(yield)
    __filter!(true, &) ? self : nil
  end

  def delete_if(&)
    return __enum { size } unless defined?(yield)
    __filter!(true, &)
    self
  end

  def transform_values
    return __enum { size } unless defined?(yield)
    result = __plain_copy
    list = __all_values
    i = 0
    while i < list.size
      list[i] = yield list[i]
      i += 1
    end
    __put_values(result, list)
  end

  def transform_values!
    return __enum { size } unless defined?(yield)
    __check_frozen
    i = -1
    __enter
    begin
      while (i = __next(i + 1))
        value = yield __value(i)
        __set_value(i, value)
      end
    ensure
      __leave
    end
    self
  end

  def __new_keys(names)
    result = {}
    i = -1
    __enter
    begin
      while (i = __next(i + 1))
        k = __key(i)
        if names&.key?(k)
          k = names[k]
        elsif defined?(yield)
          k = yield k
        end
        result[k] = __value(i)
      end
    ensure
      __leave
    end
    result
  end
  private :__new_keys

  def transform_keys(*args, &)
    return __enum { size } if args.empty? && !defined?(yield)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
    __new_keys(args.empty? ? nil : __to_hash(args[0]), &)
  end

  def transform_keys!(*args, &)
    return __enum { size } if args.empty? && !defined?(yield)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
    __check_frozen
    names = args.empty? ? nil : __to_hash(args[0])
    # Keys that the block does not reach, because it exits early, stay as they are.
    pairs = to_a
    made = {}
    n = 0
    begin
      pairs.each do |k, v|
        if names&.key?(k)
          key = names[k]
        elsif defined?(yield)
          key = yield k
        else
          key = k
        end
        __check_frozen
        delete(k) unless made.key?(k)
        self[key] = v
        made[key] = true
        n += 1
      end
    end
    self
  end

  def __to_hash(value)
    return value if Hash === value
    {}.__merged(value)
  end

  def __merged(value) = __update(value)
  protected :__merged
  private :__to_hash

  def merge(*others, &)
    result = __same_copy
    return result.__merge_all(*others, &) if defined?(yield)
    i = 0
    while i < others.size
      result.__merged(others[i])
      i += 1
    end
    result
  end

  def update(*others, &)
    __check_frozen
    i = 0
    while i < others.size
      other = others[i]
      i += 1
      if defined?(yield)
        other = __to_hash(other)
        other.each_pair do |k, v|
          if key?(k)
            old = __get(k, nil)
            __enter
            begin
              v = yield(k, old, v)
            ensure
              __leave
            end
          end
          self[k] = v
        end
      else
        __update(other)
      end
    end
    self
  end

  def to_h
    return __to_h unless defined?(yield)
    result = {}
    each_pair do |k, v|
      pair = yield k, v
      list = __try_array(pair)
      raise TypeError, "wrong element type #{__named(pair)} (expected array)" unless list
      raise ArgumentError, "element has wrong array length (expected 2, was #{list.size})" if list.size != 2
      result[list[0]] = list[1]
    end
    result
  end

  def any?(pattern = (none = true), &)
    unless none
      warn "given block not used", uplevel: 0 if defined?(yield)
      each_pair { |*pair| return true if pattern === pair[0] }
      return false
    end
    return __len > 0 unless defined?(yield)
    two = __wants_pair(&)
    i = -1
    __enter
    begin
      while (i = __next(i + 1))
        return true if two ? yield(__key(i), __value(i)) : yield(__pair(i))
      end
    ensure
      __leave
    end
    false
  end

  def count(*args, &)
    return __len if args.empty? && !defined?(yield)
    super
  end

  def map(&)
    return __enum { size } unless defined?(yield)
    return super unless Hash.equal?(self.class)
    list = []
    if __takes_two(&)
      each_pair { |k, v| list << yield(k, v) }
    else
      each_pair { |pair| list << yield(pair) }
    end
    list
  end

  def fetch_values(*keys, &)
    keys.map { |key| fetch(key, &) }
  end

  def flatten(depth = 1)
    depth = __to_index(depth)
    return to_a if depth == 0
    list = __keys_and_values
    if depth < 0
      list.flatten
    elsif depth > 1
      list.flatten(depth - 1)
    else
      list
    end
  end

  def deconstruct_keys(_keys) = self

  # Second names.
  __copy :each_pair, :each
  __copy :merge!, :update
  __copy :__merge_all, :update
  protected :__merge_all
  __copy :filter, :select
  __copy :filter!, :select!
  __copy :collect, :map
end

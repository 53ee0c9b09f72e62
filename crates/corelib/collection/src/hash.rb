class Hash
  def each(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    two = Primitive.block_wants_pair(self, &)
    i = -1
    Primitive.hash_enter(self)
    begin
      if two
        yield Primitive.hash_key(self, i), Primitive.hash_value(self, i) while (i = Primitive.hash_next(self, i + 1))
      else
        yield Primitive.hash_pair(self, i) while (i = Primitive.hash_next(self, i + 1))
      end
    ensure
      Primitive.hash_leave(self)
    end
    self
  end

  def each_key
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    i = -1
    Primitive.hash_enter(self)
    begin
      yield Primitive.hash_key(self, i) while (i = Primitive.hash_next(self, i + 1))
    ensure
      Primitive.hash_leave(self)
    end
    self
  end

  def each_value
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    i = -1
    Primitive.hash_enter(self)
    begin
      yield Primitive.hash_value(self, i) while (i = Primitive.hash_next(self, i + 1))
    ensure
      Primitive.hash_leave(self)
    end
    self
  end

  def __filtered(wanted, &)
    result = Primitive.hash_plain_copy(self)
    result.__keep(wanted, &)
    result
  end

  def __filter!(drop)
    Primitive.object_check_frozen(self)
    before = Primitive.hash_len(self)
    i = -1
    Primitive.hash_enter(self)
    begin
      while (i = Primitive.hash_next(self, i + 1))
        if yield(Primitive.hash_key(self, i), Primitive.hash_value(self, i))
          Primitive.hash_delete_at(self, i) if drop
        else
          Primitive.hash_delete_at(self, i) unless drop
        end
      end
    ensure
      Primitive.hash_leave(self)
    end
    Primitive.hash_len(self) != before
  end
  def __keep(wanted, &) = __filter!(!wanted, &)
  private :__filtered, :__filter!
  protected :__keep

  def select(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    __filtered(true, &)
  end

  def reject(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    __filtered(false, &)
  end

  def select!(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    __filter!(false, &) ? self : nil
  end

  def keep_if(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    __filter!(false, &)
    self
  end

  def reject!(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    __filter!(true, &) ? self : nil
  end

  def delete_if(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    __filter!(true, &)
    self
  end

  def transform_values
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    result = Primitive.hash_plain_copy(self)
    list = Primitive.hash_all_values(self)
    i = 0
    while i < list.size
      list[i] = yield list[i]
      i += 1
    end
    Primitive.hash_put_values(result, list)
  end

  def transform_values!
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    Primitive.object_check_frozen(self)
    i = -1
    Primitive.hash_enter(self)
    begin
      while (i = Primitive.hash_next(self, i + 1))
        value = yield Primitive.hash_value(self, i)
        Primitive.hash_set_value(self, i, value)
      end
    ensure
      Primitive.hash_leave(self)
    end
    self
  end

  def __new_keys(names)
    result = {}
    i = -1
    Primitive.hash_enter(self)
    begin
      while (i = Primitive.hash_next(self, i + 1))
        k = Primitive.hash_key(self, i)
        if names&.key?(k)
          k = names[k]
        elsif defined?(yield)
          k = yield k
        end
        result[k] = Primitive.hash_value(self, i)
      end
    ensure
      Primitive.hash_leave(self)
    end
    result
  end
  private :__new_keys

  def transform_keys(*args, &)
    return Primitive.enumerator_of_call(self) { size } if args.empty? && !defined?(yield)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
    __new_keys(args.empty? ? nil : __to_hash(args[0]), &)
  end

  def transform_keys!(*args, &)
    return Primitive.enumerator_of_call(self) { size } if args.empty? && !defined?(yield)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
    names = args.empty? ? nil : __to_hash(args[0])
    Primitive.object_check_frozen(self)
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
        Primitive.object_check_frozen(self)
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

  def __merged(value) = Primitive.hash_update(self, value)
  protected :__merged
  private :__to_hash

  def merge(*others, &)
    result = Primitive.hash_same_copy(self)
    return result.__merge_all(*others, &) if defined?(yield)
    i = 0
    while i < others.size
      result.__merged(others[i])
      i += 1
    end
    result
  end

  def update(*others, &)
    Primitive.object_check_frozen(self)
    i = 0
    while i < others.size
      other = others[i]
      i += 1
      if defined?(yield)
        other = __to_hash(other)
        other.each_pair do |k, v|
          if key?(k)
            old = Primitive.hash_get(self, k, nil)
            Primitive.hash_enter(self)
            begin
              v = yield(k, old, v)
            ensure
              Primitive.hash_leave(self)
            end
          end
          self[k] = v
        end
      else
        Primitive.hash_update(self, other)
      end
    end
    self
  end

  def to_h
    return Primitive.hash_to_h(self) unless defined?(yield)
    result = {}
    each_pair do |k, v|
      pair = yield k, v
      list = Primitive.array_try_convert(pair)
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
    return Primitive.hash_len(self) > 0 unless defined?(yield)
    two = Primitive.block_wants_pair(self, &)
    i = -1
    Primitive.hash_enter(self)
    begin
      while (i = Primitive.hash_next(self, i + 1))
        if two ? yield(Primitive.hash_key(self, i), Primitive.hash_value(self, i)) : yield(Primitive.hash_pair(self, i))
          return true
        end
      end
    ensure
      Primitive.hash_leave(self)
    end
    false
  end

  def count(*args, &)
    return Primitive.hash_len(self) if args.empty? && !defined?(yield)
    super
  end

  def map(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    return super unless Hash.equal?(self.class)
    list = []
    if Primitive.block_takes_two(self, &)
      each { |k, v| list << yield(k, v) }
    else
      each { |pair| list << yield(pair) }
    end
    list
  end

  def fetch_values(*keys, &)
    keys.map { |key| fetch(key, &) }
  end

  def flatten(depth = 1)
    depth = Primitive.integer_convert(depth)
    return to_a if depth == 0
    list = Primitive.hash_keys_and_values(self)
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
  Primitive.module_copy_method(self, :each_pair, :each)
  Primitive.module_copy_method(self, :merge!, :update)
  Primitive.module_copy_method(self, :__merge_all, :update)
  protected :__merge_all
  Primitive.module_copy_method(self, :filter, :select)
  Primitive.module_copy_method(self, :filter!, :select!)
  Primitive.module_copy_method(self, :collect, :map)
end

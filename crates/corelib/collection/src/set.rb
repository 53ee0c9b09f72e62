class Set
  def initialize(enum = nil, &block)
    Primitive.object_check_frozen(self)
    raise RuntimeError, "cannot reinitialize set" if Primitive.set_iterating_p(self)
    clear
    return if enum.nil?
    if block
      __each_of(enum) { |item| add(block.call(item)) }
    else
      merge(enum)
    end
  end

  def __each_of(enum, &)
    if Primitive.set_p(enum)
      enum.each(&)
    elsif enum.respond_to?(:each_entry)
      enum.each_entry(&)
    elsif enum.respond_to?(:each)
      enum.each(&)
    else
      raise ArgumentError, "value must be enumerable"
    end
  end

  def __must_be_set(value)
    return value if Primitive.set_p(value)
    raise ArgumentError, "value must be a set"
  end
  private :__each_of, :__must_be_set

  def each
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    i = -1
    table = Primitive.set_table(self)
    Primitive.hash_enter(table)
    begin
      yield Primitive.hash_key(table, i) while (i = Primitive.hash_next(table, i + 1))
    ensure
      Primitive.hash_leave(table)
    end
    self
  end

  def merge(*enums, **options)
    raise ArgumentError, "no keywords accepted" unless options.empty?
    Primitive.object_check_frozen(self)
    raise RuntimeError, "cannot add to set during iteration" if Primitive.set_iterating_p(self)
    enums.each do |enum|
      if Primitive.set_p(enum) || Array === enum
        Primitive.set_add_list(self, enum)
      else
        __each_of(enum) { |item| add(item) }
      end
    end
    self
  end

  def subtract(enum)
    Primitive.object_check_frozen(self)
    return Primitive.set_remove_list(self, enum) if Primitive.set_p(enum) || Array === enum
    __each_of(enum) { |item| delete(item) }
    self
  end

  def replace(enum)
    Primitive.object_check_frozen(self)
    raise RuntimeError, "cannot replace set during iteration" if Primitive.set_iterating_p(self)
    return Primitive.set_replace(self, enum) if Primitive.set_p(enum)
    list = []
    __each_of(enum) { |item| list << item }
    clear
    Primitive.set_add_list(self, list)
  end

  def |(enum)
    dup.merge(enum)
  end
  alias + |
  alias union |

  def -(enum)
    dup.subtract(enum)
  end
  alias difference -

  def &(enum)
    return Primitive.set_common(self, enum) if Primitive.set_p(enum)
    result = self.class.new
    __each_of(enum) { |item| result.add(item) if include?(item) }
    result
  end
  alias intersection &

  def ^(enum)
    result = self.class.new
    result.compare_by_identity if compare_by_identity?
    result.merge(enum)
    Primitive.set_toggle(result, self)
  end

  def <=>(other)
    return nil unless Primitive.set_p(other)
    order = size <=> other.size
    if order == 0
      self == other ? 0 : nil
    elsif order < 0
      subset?(other) ? -1 : nil
    else
      superset?(other) ? 1 : nil
    end
  end

  def subset?(other)
    Primitive.set_subset_p(self, __must_be_set(other))
  end
  alias <= subset?

  def proper_subset?(other)
    size < __must_be_set(other).size && Primitive.set_subset_p(self, other)
  end
  alias < proper_subset?

  def superset?(other)
    __must_be_set(other).subset?(self)
  end
  alias >= superset?

  def proper_superset?(other)
    __must_be_set(other).proper_subset?(self)
  end
  alias > proper_superset?

  def intersect?(enum)
    return Primitive.set_meets_p(self, enum) if Primitive.set_p(enum)
    raise ArgumentError, "value must be enumerable" unless Enumerable === enum || enum.respond_to?(:each_entry)
    __each_of(enum) { |item| return true if include?(item) }
    false
  end

  def disjoint?(enum)
    !intersect?(enum)
  end

  def __filter!(drop)
    Primitive.object_check_frozen(self)
    before = size
    i = -1
    table = Primitive.set_table(self)
    Primitive.hash_enter(table)
    begin
      while (i = Primitive.hash_next(table, i + 1))
        Primitive.set_delete_at(self, i) if (yield(Primitive.hash_key(table, i)) ? true : false) == drop
      end
    ensure
      Primitive.hash_leave(table)
    end
    size != before
  end
  private :__filter!

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

  def collect!
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    Primitive.object_check_frozen(self)
    list = []
    each { |item| list << (yield item) }
    replace(self.class.new(list))
  end

  def classify
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    groups = {}
    each do |item|
      key = yield item
      (groups[key] ||= self.class.new).add(item)
    end
    groups
  end

  def divide(&block)
    return Primitive.enumerator_of_call(self) { size } unless block
    return self.class.new(classify(&block).values) unless block.arity == 2
    # Components of the graph whose edges the block names.
    result = self.class.new
    items = to_a
    order = []
    seen = {}.compare_by_identity
    edges = items.map { |a| items.select { |b| !a.equal?(b) && block.call(a, b) } }
    index = {}
    items.each_with_index { |item, i| index[item] = i }
    visit = proc do |i|
      next if seen.key?(i)
      seen[i] = true
      edges[i].each { |b| visit.call(index[b]) }
      order << i
    end
    items.each_index { |i| visit.call(i) }
    back = Array.new(items.size) { [] }
    edges.each_with_index { |list, i| list.each { |b| back[index[b]] << i } }
    groups = []
    done = {}.compare_by_identity
    order.reverse_each do |i|
      next if done.key?(i)
      group = self.class.new
      stack = [i]
      until stack.empty?
        at = stack.pop
        next if done.key?(at)
        done[at] = true
        group.add(items[at])
        stack.concat(back[at])
      end
      groups << group
    end
    groups.reverse_each { |group| result.add(group) }
    result
  end

  def flatten
    __flatten_into(self.class.new, [])
  end

  def __flatten_into(result, open)
    raise ArgumentError, "tried to flatten recursive Set" if open.any? { |set| set.equal?(self) }
    open.push(self)
    each do |item|
      if Primitive.set_p(item)
        item.__send__(:__flatten_into, result, open)
      else
        result.add(item)
      end
    end
    open.pop
    result
  end
  private :__flatten_into

  def flatten!
    Primitive.object_check_frozen(self)
    return nil unless any? { |item| Primitive.set_p(item) }
    replace(flatten)
  end

  # Stand-ins for Enumerable's methods.
  def max(*args, &)
    to_a.max(*args, &)
  end

  def min(*args, &)
    to_a.min(*args, &)
  end

  def minmax(&)
    to_a.minmax(&)
  end

  def sort(&)
    to_a.sort(&)
  end

  def sort_by(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    to_a.sort_by(&)
  end

  def sum(init = 0, &)
    to_a.sum(init, &)
  end

  def join(separator = nil)
    to_a.join(separator)
  end

  def to_set(klass = nil, *args, &block)
    return self if klass.nil? && args.empty? && !block
    super
  end

  alias map! collect!
  alias filter! select!
end

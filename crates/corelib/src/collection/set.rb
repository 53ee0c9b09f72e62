class Set
  def initialize(enum = nil, &block)
    __check_frozen
    raise RuntimeError, "cannot reinitialize set" if __iterating?
    clear
    return if enum.nil?
    if block
      __each_of(enum) { |item| add(block.call(item)) }
    else
      merge(enum)
    end
  end

  def __each_of(enum, &)
    if __set?(enum)
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
    return value if __set?(value)
    raise ArgumentError, "value must be a set"
  end
  private :__each_of, :__must_be_set

  def each
    return __enum { size } unless defined?(yield)
    i = -1
    __enter
    begin
      yield __item(i) while (i = __next(i + 1))
    ensure
      __leave
    end
    self
  end

  def merge(*enums, **options)
    raise ArgumentError, "no keywords accepted" unless options.empty?
    __check_frozen
    raise RuntimeError, "cannot add to set during iteration" if __iterating?
    enums.each do |enum|
      if __set?(enum) || Array === enum
        __add_list(enum)
      else
        __each_of(enum) { |item| add(item) }
      end
    end
    self
  end

  def subtract(enum)
    __check_frozen
    __each_of(enum) { |item| delete(item) }
    self
  end

  def replace(enum)
    __check_frozen
    raise RuntimeError, "cannot replace set during iteration" if __iterating?
    return __replace(enum) if __set?(enum)
    list = []
    __each_of(enum) { |item| list << item }
    clear
    __add_list(list)
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
    result = self.class.new
    if __set?(enum) && enum.size > size
      each { |item| result.add(item) if enum.include?(item) }
    else
      __each_of(enum) { |item| result.add(item) if include?(item) }
    end
    result
  end
  alias intersection &

  def ^(enum)
    result = self.class.new
    result.compare_by_identity if compare_by_identity?
    result.merge(enum)
    each { |item| result.add(item) unless result.delete?(item) }
    result
  end

  def <=>(other)
    return nil unless __set?(other)
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
    __subset?(__must_be_set(other))
  end
  alias <= subset?

  def proper_subset?(other)
    size < __must_be_set(other).size && __subset?(other)
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
    if __set?(enum)
      return enum.intersect?(self) if enum.size < size
      each { |item| return true if enum.include?(item) }
      return false
    end
    raise ArgumentError, "value must be enumerable" unless Enumerable === enum || enum.respond_to?(:each_entry)
    __each_of(enum) { |item| return true if include?(item) }
    false
  end

  def disjoint?(enum)
    !intersect?(enum)
  end

  def __filter!(drop)
    __check_frozen
    before = size
    i = -1
    __enter
    begin
      while (i = __next(i + 1))
        __delete_at(i) if (yield(__item(i)) ? true : false) == drop
      end
    ensure
      __leave
    end
    size != before
  end
  private :__filter!

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

  def map!
    return __enum { size } unless defined?(yield)
    __check_frozen
    list = []
    each { |item| list << (yield item) }
    replace(self.class.new(list))
  end

  def classify
    return __enum { size } unless defined?(yield)
    groups = {}
    each do |item|
      key = yield item
      (groups[key] ||= self.class.new).add(item)
    end
    groups
  end

  def divide(&block)
    return __enum { size } unless block
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
      if __set?(item)
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
    __check_frozen
    return nil unless any? { |item| __set?(item) }
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
    return __enum { size } unless defined?(yield)
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

  # Second names.
  __copy :collect!, :map!
  __copy :filter!, :select!
end

class Set
  # A subclass of this one is as sets are now. Other subclasses keep the ways of the older library: whatever adds,
  # removes or asks goes through the methods `add`, `delete` and `include?`, which they may override.
  class CoreSet < Set
  end

  module SubclassCompatible
    module ClassMethods
      def [](*items)
        new(items)
      end
    end

    def initialize(enum = nil, &block)
      return if enum.nil?
      block ? do_with_enum(enum) { |item| add(block[item]) } : merge(enum)
    end

    def do_with_enum(enum, &)
      if enum.respond_to?(:each_entry)
        enum.each_entry(&) if defined?(yield)
      elsif enum.respond_to?(:each)
        enum.each(&) if defined?(yield)
      else
        raise ArgumentError, "value must be enumerable"
      end
    end
    private :do_with_enum

    def replace(enum)
      return super if enum.instance_of?(self.class)
      do_with_enum(enum)
      clear
      merge(enum)
    end

    def to_set(&)
      instance_of?(Set) && !defined?(yield) ? self : Set.new(self, &)
    end

    def flatten_merge(set, state = {})
      set.each do |item|
        next add(item) unless Set === item
        id = item.object_id
        raise ArgumentError, "tried to flatten recursive Set" if state[id]
        next if state.key?(id)
        state[id] = true
        flatten_merge(item, state)
        state[id] = false
      end
      self
    end
    protected :flatten_merge

    def flatten
      self.class.new.flatten_merge(self)
    end

    def flatten!
      any?(Set) ? replace(flatten) : nil
    end

    def superset?(other)
      return super if other.instance_of?(self.class)
      size >= __must_be_set(other).size && other.all?(self)
    end
    alias >= superset?

    def proper_superset?(other)
      return super if other.instance_of?(self.class)
      size > __must_be_set(other).size && other.all?(self)
    end
    alias > proper_superset?

    def subset?(other)
      return super if other.instance_of?(self.class)
      size <= __must_be_set(other).size && all?(other)
    end
    alias <= subset?

    def proper_subset?(other)
      return super if other.instance_of?(self.class)
      size < __must_be_set(other).size && all?(other)
    end
    alias < proper_subset?

    def <=>(other)
      return nil unless Set === other
      if size < other.size
        proper_subset?(other) ? -1 : nil
      elsif size > other.size
        proper_superset?(other) ? 1 : nil
      else
        self == other ? 0 : nil
      end
    end

    def intersect?(other)
      if Set === other
        size < other.size ? any?(other) : other.any?(self)
      elsif Enumerable === other
        other.any?(self)
      else
        raise ArgumentError, "value must be enumerable"
      end
    end

    def disjoint?(other)
      !intersect?(other)
    end

    def add?(item)
      include?(item) ? nil : add(item)
    end

    def delete?(item)
      include?(item) ? delete(item) : nil
    end

    def delete_if(&)
      return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
      select(&).each { |item| delete(item) }
      self
    end

    def keep_if(&)
      return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
      reject(&).each { |item| delete(item) }
      self
    end

    def collect!
      return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
      items = self.class.new
      each { |item| items << (yield item) }
      replace(items)
    end
    alias map! collect!

    def reject!(&)
      return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
      before = size
      delete_if(&)
      size == before ? nil : self
    end

    def select!(&)
      return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
      before = size
      keep_if(&)
      size == before ? nil : self
    end
    alias filter! select!

    def merge(*enums, **nil)
      enums.each do |enum|
        enum.instance_of?(self.class) ? super(enum) : do_with_enum(enum) { |item| add(item) }
      end
      self
    end

    def subtract(enum)
      do_with_enum(enum) { |item| delete(item) }
      self
    end

    def &(enum)
      result = self.class.new
      if Set === enum && enum.size > size
        each { |item| result.add(item) if enum.include?(item) }
      else
        do_with_enum(enum) { |item| result.add(item) if include?(item) }
      end
      result
    end
    alias intersection &

    def ^(enum)
      result = self.class.new(enum)
      each { |item| result.add(item) unless result.delete?(item) }
      result
    end

    def ==(other)
      return true if equal?(other)
      return super if other.instance_of?(self.class)
      Set === other && size == other.size && other.all? { |item| include?(item) }
    end

    def eql?(other)
      Set === other && super
    end

    def classify
      return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
      groups = {}
      each { |item| (groups[yield(item)] ||= self.class.new).add(item) }
      groups
    end

    def join(separator = nil)
      to_a.join(separator)
    end

    def inspect
      open = (Thread.current[:__inspect_key__] ||= [])
      return "#<#{self.class.name}: {...}>" if open.include?(object_id)
      open << object_id
      begin
        "#<#{self.class}: {#{to_a.inspect[1..-2]}}>"
      ensure
        open.pop
      end
    end
    alias to_s inspect

    def pretty_print(printer)
      printer.group(1, "#<#{self.class.name}:", ">") do
        printer.breakable
        printer.group(1, "{", "}") { printer.seplist(self) { |item| printer.pp item } }
      end
    end

    def pretty_print_cycle(printer)
      printer.text "#<#{self.class.name}: {#{empty? ? "" : "..."}}>"
    end
  end
  private_constant :SubclassCompatible

  def self.inherited(subclass)
    return unless equal?(Set)
    subclass.include SubclassCompatible
    subclass.extend SubclassCompatible::ClassMethods
  end
  private_class_method :inherited
end

class Enumerator
  def self.produce(*initial, size: Float::INFINITY, &block)
    raise ArgumentError, "no block given" unless block
    raise ArgumentError, "wrong number of arguments (given #{initial.size}, expected 0..1)" if initial.size > 1
    producer = Producer.allocate
    producer.__send__(:__init, initial, block)
    size = nil if size.nil?
    Primitive.enumerator_over(self, producer, :each, [], {}, size)
  end

  def self.product(*enums, **options, &block)
    product = Product.new(*enums, **options)
    return product unless block
    product.each(&block)
    nil
  end

  def initialize(size = nil, &block)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    Primitive.object_check_frozen(self)
    unless size.nil? || Proc === size || (Float === size && size.infinite?) || size.respond_to?(:call)
      size = Primitive.integer_convert(size) unless Integer === size
    end
    __init(Generator.new(&block), :each, [], {}, size)
    self
  end

  def __init(receiver, meth, args, options, size)
    @__receiver = receiver
    @__meth = meth
    @__args = args
    @__options = options
    @__size = size
  end

  def initialize_copy(other)
    raise TypeError, "can't copy execution context" if other.__send__(:__running)
    super
    @__fiber = @__ahead = @__buffer = @__stop = @__feed = nil
    self
  end

  def __running = @__fiber
  private :__init, :initialize_copy, :__running

  def __checked
    raise ArgumentError, "uninitialized enumerator" unless @__meth
  end
  private :__checked

  def each(*args, **options, &block)
    __checked
    unless args.empty? && options.empty?
      copy = self.class.allocate
      copy.__send__(:__init, @__receiver, @__meth, [*@__args, *args], @__options.merge(options), nil)
      return copy unless block
      return copy.each(&block)
    end
    return self unless block
    if @__options.empty?
      @__receiver.__send__(@__meth, *@__args, &block)
    else
      @__receiver.__send__(@__meth, *@__args, **@__options, &block)
    end
  end

  def size
    __checked
    size = @__size
    if Proc === size
      size.call(*@__args, **@__options)
    elsif size.respond_to?(:call)
      size.call
    else
      size
    end
  end

  def with_index(offset = (none = true; 0), &)
    return Primitive.enumerator_of_call(self, *(none ? [] : [offset])) { size } unless defined?(yield)
    offset = offset.nil? ? 0 : Primitive.integer_of(offset) unless Integer === offset
    __with_index(offset, &)
  end

  def each_with_index(&)
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    __with_index(0, &)
  end

  def __with_index(i)
    i -= 1
    each { |*x, __many| yield x, (i += 1) }
  end
  private :__with_index

  def with_object(memo)
    return Primitive.enumerator_of_call(self, memo) { size } unless defined?(yield)
    each { |*x, __many| yield x, memo }
    memo
  end

  Primitive.module_copy_method(self, :each_with_object, :with_object)

  # What comes next, whatever `peek` has looked at: the yielded values, or whatever the enumeration gave to Fiber.yield.
  # Its Fiber.yield answers with the fiber that asked.
  def __advance
    __stop_again if @__stop
    begin
      values = @__fiber&.alive? ? Primitive.enumerator_ask(@__fiber) : __first_values
    rescue Exception
      # A call from another thread leaves the enumeration as it is.
      @__fiber = nil unless @__fiber&.alive?
      raise
    end
    return values unless @__stop
    @__fiber = nil
    @__feed.clear
    raise @__stop
  end

  # Whoever enumerates may run the block with another self. What was fed is what the block returns, then it is gone.
  def __first_values
    enum = self
    feed = @__feed ||= []
    @__fiber = Fiber.new do
      result = enum.each do |*x, __many|
        Primitive.enumerator_give(__many ? (nil.equal?(x) ? [] : x) : [x])
        feed.pop
      end
      enum.__send__(:__finish, result)
      nil
    end
    @__fiber.resume
  end

  def __finish(result)
    @__stop = Primitive.enumerator_stop_iteration(self, result)
  end

  # Each later end is an exception of its own, which comes from the first.
  def __stop_again
    raise @__stop unless @__stop.backtrace
    raise Primitive.enumerator_stop_iteration(self, @__stop.result), cause: @__stop
  end

  # nil may be what comes next.
  def __following
    Primitive.object_check_frozen(self)
    return __advance unless @__ahead
    values = @__buffer
    @__ahead = @__buffer = nil
    values
  end

  def __ahead_values
    Primitive.object_check_frozen(self)
    return @__buffer if @__ahead
    values = __advance
    @__ahead = true
    @__buffer = values
  end

  def __forget
    @__fiber = @__ahead = @__buffer = @__stop = nil
    @__feed&.clear
  end
  private :__advance, :__first_values, :__finish, :__stop_again, :__following, :__ahead_values, :__forget

  def next
    values = __following
    return values unless Array === values
    values.size <= 1 ? values[0] : values
  end

  def next_values = __following

  def peek
    values = __ahead_values
    return values unless Array === values
    values.size <= 1 ? values[0] : [*values]
  end

  def peek_values
    values = __ahead_values
    Array === values ? [*values] : values
  end

  def feed(value)
    Primitive.object_check_frozen(self)
    feed = @__feed ||= []
    raise TypeError, "feed value already set" unless feed.empty?
    feed << value
    nil
  end

  def rewind
    __checked
    Primitive.object_check_frozen(self)
    @__receiver.rewind if @__receiver.respond_to?(:rewind)
    __forget
    self
  end

  def inspect
    return "#<#{self.class}: uninitialized>" unless @__meth
    Primitive.enumerator_guarded(self, :inspect, "#<#{self.class}: ...>") do
      "#<#{self.class}: #{__inspect_receiver}#{__inspect_call}>"
    end
  end

  def __inspect_receiver = @__receiver.inspect

  def __inspect_call
    args, options = @__args, @__options
    # A hash at the end looks as keywords do.
    if options.empty? && Hash === args[-1] && args[-1].all? { |k, _| Symbol === k }
      args, options = args[0...-1], args[-1] unless args[-1].empty?
    end
    list = args.map { |arg| arg.inspect }
    options.each_pair { |k, v| list << "#{k}: #{v}" }
    list.empty? ? ":#{@__meth}" : ":#{@__meth}(#{list.join(", ")})"
  end
  private :__inspect_receiver, :__inspect_call

  def +(other)
    Chain.new(self, other)
  end

  class Yielder
    def initialize(&block)
      raise LocalJumpError, "no block given" unless block
      @__block = block
    end

    # For an enumeration without a block: only what is yielded then raises.
    def __init(block)
      @__block = block || ->(*) { __no_block }
    end

    def __no_block = yield
    private :__init, :__no_block

    def __given_block = @__block || raise(ArgumentError, "uninitialized yielder")
    private :__given_block

    def <<(value)
      __given_block.call(value)
      self
    end

    ruby2_keywords def yield(*values)
      __given_block.call(*values)
    end

    def to_proc
      method(:yield).to_proc
    end
  end

  class Generator
    include Enumerable

    def initialize(*args, &block)
      if args.empty?
        raise LocalJumpError, "no block given" unless block
      else
        raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
        block = args[0]
        raise TypeError, "wrong argument type #{block.class} (expected Proc)" unless Proc === block
      end
      @__block = block
    end

    ruby2_keywords def each(*args, &block)
      raise ArgumentError, "uninitialized generator" unless @__block
      yielder = Yielder.allocate
      yielder.__send__(:__init, block)
      @__block.call(yielder, *args)
    end
  end

  class Producer
    def __init(initial, block)
      @__initial = initial
      @__block = block
    end
    private :__init

    def each
      block = @__block
      begin
        value = @__initial.empty? ? block.call : @__initial[0]
        while true
          yield value
          value = block.call(value)
        end
      rescue StopIteration
      end
      self
    end
  end

  class Chain < Enumerator
    def initialize(*enums)
      Primitive.object_check_frozen(self)
      @__enums = enums
      @__at = -1
      @__meth = :each
      @__args = []
      @__options = {}
      @__receiver = self
    end

    def each(*args, **options, &block)
      return Primitive.enumerator_of_call(self, *args, **options) { size } unless block
      __enums.each_with_index do |enum, i|
        @__at = i
        enum.each(*args, **options, &block)
      end
      self
    end

    def size
      total = 0
      __enums.each do |enum|
        n = enum.size
        return n if n.nil? || (Float === n && n.infinite?)
        return nil unless Integer === n
        total += n
      end
      total
    end

    def rewind
      __enums
      i = @__at
      while i >= 0
        enum = @__enums[i]
        enum.rewind if enum.respond_to?(:rewind)
        i -= 1
      end
      @__at = -1
      __forget
      self
    end

    def inspect
      return "#<#{self.class}: uninitialized>" unless @__enums
      Primitive.enumerator_guarded(self, :inspect, "#<#{self.class}: ...>") { "#<#{self.class}: #{@__enums.inspect}>" }
    end

    def +(other)
      Chain.new(self, other)
    end

    def dup
      raise TypeError, "can't copy execution context" if @__fiber
      super
    end

    def __enums = @__enums || raise(ArgumentError, "uninitialized chain")
    private :__enums
    undef_method :next, :next_values, :peek, :peek_values, :feed
  end

  class Product < Enumerator
    def initialize(*enums, **options)
      unless options.empty?
        raise ArgumentError,
              "unknown keyword#{"s" if options.size > 1}: #{options.keys.map { |k| k.inspect }.join(", ")}"
      end
      Primitive.object_check_frozen(self)
      @__enums = enums
      @__meth = :each
      @__args = []
      @__options = {}
      @__receiver = self
    end

    def initialize_copy(other)
      return self if equal?(other)
      Primitive.object_check_frozen(self)
      raise TypeError, "initialize_copy should take same class object" unless other.class == self.class
      @__enums = other.__send__(:__enums)
      self
    end

    def __enums = @__enums || raise(ArgumentError, "uninitialized product")
    private :initialize_copy, :__enums

    def each(&block)
      return self unless block
      __product(0, [], &block)
      self
    end

    def __product(i, row, &block)
      if i == __enums.size
        block.call([*row])
      else
        @__enums[i].each_entry do |x|
          row[i] = x
          __product(i + 1, row, &block)
        end
      end
    end
    private :__product

    def size
      total = 1
      sizes = __enums.map { |enum| enum.respond_to?(:size) ? enum.size : nil }
      return 0 if sizes.include?(0)
      sizes.each do |n|
        return n if Float === n && n.infinite?
        return nil unless Integer === n
        total *= n
      end
      total
    end

    def rewind
      __enums.each { |enum| enum.rewind if enum.respond_to?(:rewind) }
      __forget
      self
    end

    def inspect
      return "#<#{self.class}: uninitialized>" unless @__enums
      Primitive.enumerator_guarded(self, :inspect, "#<#{self.class}: ...>") { "#<#{self.class}: #{@__enums.inspect}>" }
    end

    undef_method :next, :next_values, :peek, :peek_values, :feed
  end

  class ArithmeticSequence < Enumerator
    def __setup(receiver, meth, args, first, last, step, excl)
      @__first = first
      @__last = last
      @__step = step
      @__excl = excl
      __init(receiver, meth, args, {}, nil)
    end
    private :__setup

    def begin = @__first
    def end = @__last
    def step = @__step
    def exclude_end? = @__excl

    def __floats?
      (Float === @__first || Float === @__last || Float === @__step) && !(Complex === @__first || Complex === @__step)
    end

    # The elements that an Array takes for `array[seq]`, in ascending order of their indices.
    def __index_range
      if @__step < 0
        Range.new(@__last, @__first, @__excl && !@__last.nil?)
      else
        Range.new(@__first, @__last, @__excl)
      end
    end

    def each(&block)
      return self unless block
      first = @__first
      last = @__last
      step = @__step
      if first.nil?
        raise TypeError,
              __floats? ? "no implicit conversion to float from nil" : "nil can't be coerced into #{last.class}"
      end
      if last.nil?
        if __floats?
          i = 0
          start = Float(first)
          unit = Float(step)
          while true
            yield start + i * unit
            i += 1
          end
        end
        while true
          yield first
          first += step
        end
      end
      if __floats?
        n = __count
        i = 0
        start = Float(first)
        unit = Float(step)
        limit = Float(last)
        while i < n
          value = unit.infinite? ? start : i * unit + start
          value = limit if unit >= 0 ? limit < value : value < limit
          yield value
          i += 1
        end
      elsif step < 0
        if @__excl
          while first > last
            yield first
            first += step
          end
        else
          while first >= last
            yield first
            first += step
          end
        end
      elsif @__excl
        while first < last
          yield first
          first += step
        end
      else
        while first <= last
          yield first
          first += step
        end
      end
      self
    end

    # `with_index` goes through the method that made the sequence and gives what that gives.
    def __with_index(i)
      super
      @__receiver
    end
    private :__with_index

    def __count
      n = Primitive.numeric_float_step_size(self, @__first, @__last, @__step, @__excl)
      Float === n && n.infinite? ? n : n.to_i
    end

    def size
      first = @__first
      last = @__last
      step = @__step
      if __floats?
        return Float::INFINITY if last.nil?
        return __count
      end
      return Float::INFINITY if last.nil?
      span = last - first
      return 0 if step < 0 ? span > 0 : span < 0
      n = span.div(step)
      return n if @__excl && first + n * step == last
      n + 1
    end

    def __nth(i)
      if __floats?
        value = i * Float(@__step) + Float(@__first)
        limit = @__last
        return value if limit.nil?
        (@__step >= 0 ? limit < value : value < limit) ? Float(limit) : value
      else
        i == 0 ? @__first : @__first + i * @__step
      end
    end
    private :__floats?, :__count, :__nth

    def first(*args)
      raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
      if args.empty?
        return nil if @__first.nil? || !@__last.nil? && size == 0
        return __floats? ? Float(@__first) : @__first
      end
      n = Primitive.integer_convert(args[0])
      raise ArgumentError, "attempt to take negative size" if n < 0
      raise TypeError, "nil can't be coerced into Integer" if @__first.nil?
      n = [n, size].min unless @__last.nil?
      Array.new(n) { |i| __nth(i) }
    end

    def last(*args)
      raise RangeError, "cannot get the last element of endless arithmetic sequence" if @__last.nil?
      steps = (@__last - @__first).div(@__step)
      return args.empty? ? nil : [] if steps < 0
      final = @__first + @__step * steps
      count = steps + 1
      if @__excl && final == @__last
        final -= @__step
        count = steps
      end
      return final if args.empty?
      raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 1)" if args.size > 1
      n = Primitive.integer_of(args[0])
      n = count if n > count
      raise ArgumentError, "negative array size" if n < 0
      step = @__step
      final, step = Float(final), Float(step) if Rational === final || Rational === step
      value = final - step * n
      Array.new(n) { value += step }
    end

    def to_a
      raise RangeError, "cannot convert endless range to an array" if @__last.nil?
      list = []
      each { |x| list << x }
      list
    end
    alias entries to_a

    def ==(other)
      ArithmeticSequence === other && @__first == other.begin && @__last == other.end &&
        @__step == other.step && @__excl == other.exclude_end?
    end
    alias === ==
    alias eql? ==

    def hash
      [@__first, @__last, @__step, @__excl].hash
    end

    def inspect
      args = @__args.map do |arg|
        Hash === arg ? arg.map { |k, v| "#{k}: #{v.inspect}" }.join(", ") : arg.inspect
      end
      receiver = Range === @__receiver ? "(#{@__receiver})" : @__receiver.inspect
      call = args.empty? ? "" : "(#{args.join(", ")})"
      "(#{receiver}.#{@__meth}#{call})"
    end
  end
end

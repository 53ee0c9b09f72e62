class Enumerator
  class Lazy < Enumerator
    # What a step gives to end the iteration.
    STOP = Object.new
    # Methods that are steps with a block.
    EAGER = %i[
      with_index each_with_index map collect flat_map collect_concat select find_all filter filter_map reject grep grep_v
      zip take take_while drop drop_while uniq
    ].freeze
    private_constant :STOP, :EAGER

    def self.__over(source, meth, args, size)
      lazy = allocate
      lazy.__send__(:__start, source, meth, args, {}, size, nil)
      lazy
    end

    def initialize(source = (none = true), size = nil, &block)
      raise ArgumentError, "wrong number of arguments (given 0, expected 1..2)" if none
      raise ArgumentError, "tried to call lazy new without a block" unless block
      Primitive.object_check_frozen(self)
      __start(source, :each, [], {}, size, proc { |y| proc { |*v| block.call(y, *v) } })
      self
    end

    # `factory`: called with a Yielder when an iteration begins, gives the Proc that takes each value, or nil
    # for an iteration that is over before it begins.
    def __start(source, meth, args, options, size, factory)
      @__receiver = source
      @__meth = meth
      @__args = args
      @__options = options
      @__size = size
      @__factory = factory
    end

    def __step(meth, args = [], size = nil, shown = nil, &factory)
      raise ArgumentError, "uninitialized enumerator" unless @__meth
      lazy = Lazy.allocate
      lazy.__send__(:__start, self, meth, args, {}, size, factory)
      lazy
    end

    # A step that gives what it takes: several values of `with_index` stay several for the next step.
    def __same(meth, args = [], size = nil, &factory)
      lazy = __step(meth, args, size, &factory)
      lazy.__send__(:__pack) if @__packs
      lazy
    end

    # What the last step gives is one value, for its block.
    def __pack
      @__packs = true
      self
    end

    def __packs = @__packs
    private :__start, :__step, :__same, :__pack, :__packs

    def each(*args, &block)
      unless block
        return self if args.empty? || @__factory
        copy = Lazy.allocate
        copy.__send__(:__start, @__receiver, @__meth, @__args + args, @__options, nil, nil)
        return copy
      end
      factory = @__factory
      unless factory
        raise ArgumentError, "uninitialized enumerator" unless @__meth
        # With a block these are lazy here: they are run as Enumerator has them.
        if Lazy === @__receiver && EAGER.include?(@__meth.to_sym)
          eager = Enumerator.instance_method(@__meth)
          return eager.bind_call(@__receiver, *@__args, *args, **@__options, &block)
        end
        return @__receiver.__send__(@__meth, *@__args, *args, **@__options, &block)
      end
      return __run(args, &block) unless @__packs
      __run(args) { |*v| block.call(v.size <= 1 ? v[0] : v) }
    end

    def __run(args, &block)
      step = @__factory.call(Yielder.new(&block))
      return self unless step
      stop = STOP
      if Lazy === @__receiver && @__receiver.__send__(:__packs)
        @__receiver.__send__(:__run, args) do |*v|
          break if stop.equal?(step.call(*v))
        end
      else
        @__receiver.each(*args) do |*v|
          break if stop.equal?(step.call(*v))
        end
      end
      self
    end

    def __give(y, values)
      if values.size > 1
        @__packs ? y.yield(*values) : y << values
      else
        y << values[0]
      end
    end
    private :__run, :__give

    def size
      size = @__size
      Proc === size ? size.call(*@__args) : size
    end

    def rewind
      __forget
      self
    end

    def inspect
      return "#<#{self.class}: uninitialized>" unless @__meth
      Primitive.enumerator_guarded(self, :inspect, "#<#{self.class}: ...>") do
        call = @__factory || Lazy === @__receiver || @__meth != :each ? __inspect_call : ""
        "#<#{self.class}: #{@__receiver.inspect}#{call}>"
      end
    end
    alias to_s inspect

    def to_enum(meth = :each, *args, **options, &size)
      lazy = Lazy.allocate
      lazy.__send__(:__start, self, meth, args, options, size, nil)
      lazy
    end
    alias enum_for to_enum

    def lazy = self

    def force(*args)
      to_a(*args)
    end

    def eager
      source = self
      Primitive.enumerator_over(Enumerator, source, :each, [], {}, proc { source.size })
    end

    def first(*args)
      return take(args[0]).to_a unless args.empty?
      each { |*v| return v.size <= 1 ? v[0] : v }
      nil
    end

    def __lazy_map(name, block)
      raise ArgumentError, "tried to call lazy #{name} without a block" unless block
      source = self
      __step(name, [], proc { source.size }) do |y|
        proc { |*v| y << block.call(*v) }
      end
    end

    def map(&block) = __lazy_map(:map, block)
    alias collect map

    def __lazy_select(name, wanted, block)
      raise ArgumentError, "tried to call lazy #{name} without a block" unless block
      __same(name) do |y|
        proc do |*v|
          x = v.size <= 1 ? v[0] : v
          __give(y, v) if (block.call(x) ? true : false) == wanted
        end
      end
    end

    def select(&block) = __lazy_select(:select, true, block)
    alias filter select
    alias find_all select
    def reject(&block) = __lazy_select(:reject, false, block)

    def filter_map(&block)
      raise ArgumentError, "tried to call lazy filter_map without a block" unless block
      __step(:filter_map) do |y|
        proc do |*v|
          value = block.call(*v)
          y << value if value
        end
      end
    end

    def __lazy_flat_map(name, block)
      raise ArgumentError, "tried to call lazy #{name} without a block" unless block
      __step(name) do |y|
        proc do |*v|
          value = block.call(*v)
          if Array === value
            value.each { |x| y << x }
          elsif value.respond_to?(:force) && value.respond_to?(:each)
            value.each { |x| y << x }
          elsif (list = Primitive.array_try_convert(value))
            list.each { |x| y << x }
          else
            y << value
          end
        end
      end
    end

    def flat_map(&block) = __lazy_flat_map(:flat_map, block)
    alias collect_concat flat_map
    private :__lazy_map, :__lazy_select, :__lazy_flat_map

    def compact
      __same(:compact) do |y|
        proc do |*v|
          x = v.size <= 1 ? v[0] : v
          __give(y, v) unless x.nil?
        end
      end
    end

    def grep(pattern, &block)
      return __same(:grep, [pattern]) { |y| proc { |*v| __give(y, v) if pattern === (v.size <= 1 ? v[0] : v) } } unless block
      __step(:grep, [pattern]) do |y|
        proc do |*v|
          x = v.size <= 1 ? v[0] : v
          y << block.call(x) if pattern === x
        end
      end
    end

    def grep_v(pattern, &block)
      return __same(:grep_v, [pattern]) { |y| proc { |*v| __give(y, v) unless pattern === (v.size <= 1 ? v[0] : v) } } unless block
      __step(:grep_v, [pattern]) do |y|
        proc do |*v|
          x = v.size <= 1 ? v[0] : v
          y << block.call(x) unless pattern === x
        end
      end
    end

    def take(n)
      n = Primitive.integer_convert(n)
      raise ArgumentError, "attempt to take negative size" if n < 0
      source = self
      stop = STOP
      size = proc do
        total = source.size
        total.nil? || total > n ? (total.nil? ? nil : n) : total
      end
      __same(:take, [n], size) do |y|
        left = n
        next nil if left == 0
        proc do |*v|
          left -= 1
          __give(y, v)
          stop if left == 0
        end
      end
    end

    def take_while(&block)
      raise ArgumentError, "tried to call lazy take_while without a block" unless block
      stop = STOP
      __same(:take_while) do |y|
        proc do |*v|
          next stop unless block.call(*v)
          __give(y, v)
        end
      end
    end

    def drop(n)
      n = Primitive.integer_convert(n)
      raise ArgumentError, "attempt to drop negative size" if n < 0
      source = self
      size = proc do
        total = source.size
        total.nil? ? nil : (total > n ? total - n : 0)
      end
      __same(:drop, [n], size) do |y|
        left = n
        proc do |*v|
          if left > 0
            left -= 1
          else
            __give(y, v)
          end
        end
      end
    end

    def drop_while(&block)
      raise ArgumentError, "tried to call lazy drop_while without a block" unless block
      __same(:drop_while) do |y|
        dropping = true
        proc do |*v|
          dropping = false if dropping && !block.call(*v)
          __give(y, v) unless dropping
        end
      end
    end

    def uniq(&block)
      __same(:uniq) do |y|
        seen = {}
        proc do |*v|
          x = v.size <= 1 ? v[0] : v
          __give(y, v) if Primitive.hash_add_new(seen, block ? block.call(*v) : x, true)
        end
      end
    end

    def zip(*others, &block)
      return super if block
      lists = others.map do |other|
        list = Primitive.array_try_convert(other)
        next list if list
        raise TypeError, "wrong argument type #{other.class} (must respond to :each)" unless other.respond_to?(:each)
        other
      end
      source = self
      __step(:zip, others, proc { source.size }) do |y|
        i = -1
        sources = lists.map { |list| Array === list ? list : list.to_enum(:each) }
        proc do |*v|
          i += 1
          row = [v.size <= 1 ? v[0] : v]
          sources.each_with_index do |from, at|
            if Array === from
              row << from[i]
            elsif from.nil?
              row << nil
            else
              begin
                row << from.next
              rescue StopIteration
                sources[at] = nil
                row << nil
              end
            end
          end
          y << row
        end
      end
    end

    def with_index(offset = 0, &block)
      offset = offset.nil? ? 0 : Primitive.integer_convert(offset) unless Integer === offset
      source = self
      lazy = __step(:with_index, [offset], proc { source.size }) do |y|
        i = offset - 1
        proc do |*v|
          i += 1
          x = v.size <= 1 ? v[0] : v
          if block
            block.call(x, i)
            y << x
          else
            y.yield(x, i)
          end
        end
      end
      block ? lazy : lazy.__send__(:__pack)
    end

    def each_with_index(&block)
      source = self
      lazy = __step(:each_with_index, [], proc { source.size }) do |y|
        i = -1
        proc do |*v|
          i += 1
          x = v.size <= 1 ? v[0] : v
          if block
            block.call(x, i)
            y << x
          else
            y.yield(x, i)
          end
        end
      end
      block ? lazy : lazy.__send__(:__pack)
    end

    def chunk(*args, &block) = super.lazy
    def chunk_while(*args, &block) = super.lazy
    def slice_when(*args, &block) = super.lazy
    def slice_before(*args, &block) = super.lazy
    def slice_after(*args, &block) = super.lazy

    def chain(*others)
      super.lazy
    end

    def +(other)
      chain(other)
    end
  end
end

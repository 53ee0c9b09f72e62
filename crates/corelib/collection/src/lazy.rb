class Enumerator
  class Lazy < Enumerator
    # What a step gives to end the iteration.
    STOP = Object.new
    # Methods that are steps with a block.
    EAGER = %i[
      with_index each_with_index map collect flat_map collect_concat select find_all filter filter_map reject grep
      grep_v zip take take_while drop drop_while uniq
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
      __start(source, :each, [], {}, size, nil, block)
      self
    end

    # `factory`: called with the Proc that takes what the step gives when an iteration begins, gives the Proc that takes
    # each value, or nil for an iteration that is over before it begins. Such Procs have two parameters, those of a
    # block `|*x, __many|`, and give STOP when nothing more is wanted. `own`: the program's block in the place of a
    # factory.
    def __start(source, meth, args, options, size, factory, own = nil)
      @__receiver = source
      @__meth = meth
      @__args = args
      @__options = options
      @__size = size
      @__factory = factory
      @__own = own
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
      steps = @__factory || @__own
      unless block
        return self if args.empty? || steps
        copy = Lazy.allocate
        copy.__send__(:__start, @__receiver, @__meth, @__args + args, @__options, nil, nil)
        return copy
      end
      unless steps
        raise ArgumentError, "uninitialized enumerator" unless @__meth
        # With a block these are lazy here: they are run as Enumerator has them.
        if Lazy === @__receiver && EAGER.include?(@__meth.to_sym)
          eager = Enumerator.instance_method(@__meth)
          return eager.bind_call(@__receiver, *@__args, *args, **@__options, &block)
        end
        return @__receiver.__send__(@__meth, *@__args, *args, **@__options, &block)
      end
      return __run(args, proc { |x, _| block.call(x) }) if @__packs
      __run(args, proc { |x, many| many ? block.call(*x) : block.call(x) })
    end

    # Steps on steps hand values to one another: what they stand on is walked through once.
    def __run(args, down)
      stop = STOP
      if (own = @__own)
        y = Yielder.new { |*x, __many| return self if stop.equal?(down.call(x, __many)) }
        step = proc do |x, many|
          many ? own.call(y, *x) : own.call(y, x)
          nil
        end
      else
        step = @__factory.call(down)
        return self unless step
      end
      source = @__receiver
      if Lazy === source && source.__send__(:__has_steps)
        source.__send__(:__run, args, step)
      else
        source.each(*args) do |*x, __many|
          break if stop.equal?(step.call(x, __many))
        end
      end
      self
    end

    def __has_steps = @__factory || @__own
    private :__run, :__has_steps

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
      raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
      return take(args[0]).to_a unless args.empty?
      each { |*v| return v.size <= 1 ? v[0] : v }
      nil
    end

    def __lazy_map(name, block)
      raise ArgumentError, "tried to call lazy map without a block" unless block
      source = self
      __step(name, [], proc { source.size }) do |down|
        proc { |x, many| down.call(many ? block.call(*x) : block.call(x), false) }
      end
    end

    # What a lazy enumerator shows is the name that was called.
    def map(&block) = __lazy_map(Primitive.called_name(self), block)
    alias collect map

    def __lazy_select(name, wanted, block)
      raise ArgumentError, "tried to call lazy #{wanted ? :select : :reject} without a block" unless block
      packs = @__packs
      __same(name) do |down|
        proc { |x, many| down.call(x, many && packs) if (block.call(x) ? true : false) == wanted }
      end
    end

    def select(&block) = __lazy_select(Primitive.called_name(self), true, block)
    alias filter select
    alias find_all select
    def reject(&block) = __lazy_select(:reject, false, block)

    def filter_map(&block)
      raise ArgumentError, "tried to call lazy filter_map without a block" unless block
      __step(:filter_map) do |down|
        proc do |x, many|
          value = many ? block.call(*x) : block.call(x)
          down.call(value, false) if value
        end
      end
    end

    def __lazy_flat_map(name, block)
      raise ArgumentError, "tried to call lazy flat_map without a block" unless block
      stop = STOP
      __step(name) do |down|
        proc do |x, many|
          value = many ? block.call(*x) : block.call(x)
          if Array === value || value.respond_to?(:force) && value.respond_to?(:each)
            value.each { |y| break stop if stop.equal?(down.call(y, false)) }
          elsif (list = Primitive.array_try_convert(value))
            list.each { |y| break stop if stop.equal?(down.call(y, false)) }
          else
            down.call(value, false)
          end
        end
      end
    end

    def flat_map(&block) = __lazy_flat_map(Primitive.called_name(self), block)
    alias collect_concat flat_map
    private :__lazy_map, :__lazy_select, :__lazy_flat_map

    def compact
      packs = @__packs
      __same(:compact) do |down|
        proc { |x, many| down.call(x, many && packs) unless x.nil? }
      end
    end

    def __lazy_grep(name, pattern, wanted, block)
      packs = @__packs
      unless block
        return __same(name, [pattern]) do |down|
          proc { |x, many| down.call(x, many && packs) if (pattern === x ? true : false) == wanted }
        end
      end
      __step(name, [pattern]) do |down|
        proc { |x, _| down.call(block.call(x), false) if (pattern === x ? true : false) == wanted }
      end
    end
    private :__lazy_grep

    def grep(pattern, &block) = __lazy_grep(:grep, pattern, true, block)
    def grep_v(pattern, &block) = __lazy_grep(:grep_v, pattern, false, block)

    def take(n)
      given = n
      n = Primitive.integer_convert(n)
      raise ArgumentError, "attempt to take negative size" if n < 0
      source = self
      stop = STOP
      packs = @__packs
      size = proc do
        total = source.size
        total.nil? || total > n ? (total.nil? ? nil : n) : total
      end
      __same(:take, [given], size) do |down|
        left = n
        next nil if left == 0
        proc do |x, many|
          left -= 1
          wanted = down.call(x, many && packs)
          left == 0 ? stop : wanted
        end
      end
    end

    def take_while(&block)
      raise ArgumentError, "tried to call lazy take_while without a block" unless block
      stop = STOP
      packs = @__packs
      __same(:take_while) do |down|
        proc { |x, many| (many ? block.call(*x) : block.call(x)) ? down.call(x, many && packs) : stop }
      end
    end

    def drop(n)
      given = n
      n = Primitive.integer_convert(n)
      raise ArgumentError, "attempt to drop negative size" if n < 0
      source = self
      packs = @__packs
      size = proc do
        total = source.size
        total.nil? ? nil : (total > n ? total - n : 0)
      end
      __same(:drop, [given], size) do |down|
        left = n
        proc do |x, many|
          if left > 0
            left -= 1
            nil
          else
            down.call(x, many && packs)
          end
        end
      end
    end

    def drop_while(&block)
      raise ArgumentError, "tried to call lazy drop_while without a block" unless block
      packs = @__packs
      __same(:drop_while) do |down|
        dropping = true
        proc do |x, many|
          dropping = false if dropping && !(many ? block.call(*x) : block.call(x))
          down.call(x, many && packs) unless dropping
        end
      end
    end

    def uniq(&block)
      packs = @__packs
      __same(:uniq) do |down|
        seen = {}
        proc do |x, many|
          key = block ? (many ? block.call(*x) : block.call(x)) : x
          down.call(x, many && packs) if Primitive.hash_add_new(seen, key, true)
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
      __step(:zip, lists, proc { source.size }) do |down|
        i = -1
        sources = lists.map { |list| Array === list ? list : list.to_enum(:each) }
        proc do |x, _|
          i += 1
          row = [x]
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
          down.call(row, false)
        end
      end
    end

    def __lazy_index(name, args, offset, block)
      source = self
      lazy = __step(name, args, proc { source.size }) do |down|
        i = (Integer === offset ? offset : Primitive.integer_convert(offset)) - 1
        proc do |x, _|
          i += 1
          if block
            block.call(x, i)
            down.call(x, false)
          else
            down.call([x, i], true)
          end
        end
      end
      block ? lazy : lazy.__send__(:__pack)
    end
    private :__lazy_index

    def with_index(offset = 0, &block)
      offset = 0 if nil.equal?(offset)
      __lazy_index(:with_index, [offset], offset, block)
    end

    # With a block this one is not lazy.
    def each_with_index(&block) = block ? super : __lazy_index(:each_with_index, [], 0, nil)

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

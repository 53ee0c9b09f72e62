class Struct
  def self.__far_reader(klass, name, i)
    klass.define_method(name) { __slot(i) }
  end

  def self.__far_writer(klass, name, i)
    klass.define_method(name) { |value| __set_slot(i, value) }
  end
  private_class_method :__far_reader, :__far_writer

  def each
    return __enum { size } unless defined?(yield)
    i = 0
    n = size
    while i < n
      yield __slot(i)
      i += 1
    end
    self
  end

  def each_pair
    return __enum { size } unless defined?(yield)
    names = members
    i = 0
    while i < names.size
      yield [names[i], __slot(i)]
      i += 1
    end
    self
  end

  def select(*args)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0)" unless args.empty?
    return __enum { size } unless defined?(yield)
    list = []
    each { |x| list << x if yield x }
    list
  end

  # Second names.
  __copy :filter, :select
end

class Struct
  def self.__far_reader(klass, name, i)
    klass.define_method(name) { Primitive.struct_slot(self, i) }
  end

  def self.__far_writer(klass, name, i)
    klass.define_method(name) { |_| Primitive.struct_set_slot(self, i, _) }
  end
  private_class_method :__far_reader, :__far_writer

  def each
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    i = 0
    n = size
    while i < n
      yield Primitive.struct_slot(self, i)
      i += 1
    end
    self
  end

  def each_pair
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    names = members
    i = 0
    while i < names.size
      yield [names[i], Primitive.struct_slot(self, i)]
      i += 1
    end
    self
  end

  def select(*args)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0)" unless args.empty?
    return Primitive.enumerator_of_call(self) { size } unless defined?(yield)
    list = []
    each { |x| list << x if yield x }
    list
  end

  # Second names.
  Primitive.module_copy_method(self, :filter, :select)
end

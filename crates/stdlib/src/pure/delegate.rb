# Objects that hand the methods of another object on to it.
class Delegator < BasicObject
  VERSION = "0.6.1"

  # Kernel without what has to reach the other object.
  kernel = ::Kernel.dup
  kernel.class_eval do
    alias_method :__raise__, :raise
    %i[to_s inspect !~ === <=> hash].each { |name| undef_method(name) }
    private_instance_methods.each do |name|
      undef_method(name) unless name.match?(/\A(?:block_given\?|iterator\?|__.*__)\z/)
    end
  end
  include kernel

  def self.const_missing(name) = ::Object.const_get(name)

  def initialize(object)
    __setobj__(object)
  end

  def method_missing(name, ...)
    given = true
    target = __getobj__ { given = false }
    if given && target_respond_to?(target, name, false)
      target.__send__(name, ...)
    elsif ::Kernel.method_defined?(name) || ::Kernel.private_method_defined?(name)
      ::Kernel.instance_method(name).bind_call(self, ...)
    else
      super
    end
  end

  def respond_to_missing?(name, include_private)
    given = true
    target = __getobj__ { given = false }
    return given unless given &&= target_respond_to?(target, name, include_private)
    if include_private && !target_respond_to?(target, name, false)
      ::Kernel.warn("delegator does not forward private method ##{name}", uplevel: 3)
      return false
    end
    given
  end

  KERNEL_RESPOND_TO = ::Kernel.instance_method(:respond_to?)
  private_constant :KERNEL_RESPOND_TO

  def target_respond_to?(target, name, include_private)
    if ::Object === target || KERNEL_RESPOND_TO.bind_call(target, :respond_to?)
      target.respond_to?(name, include_private)
    else
      KERNEL_RESPOND_TO.bind_call(target, name, include_private)
    end
  end
  private :target_respond_to?

  def methods(all = true) = __getobj__.methods(all) | super

  def public_methods(all = true) = __getobj__.public_methods(all) | super

  def protected_methods(all = true) = __getobj__.protected_methods(all) | super

  def ==(other) = other.equal?(self) || __getobj__ == other

  def !=(other) = !other.equal?(self) && __getobj__ != other

  def eql?(other) = other.equal?(self) || other.eql?(__getobj__)

  def ! = !__getobj__

  def __getobj__
    __raise__ ::NotImplementedError, "need to define '__getobj__'"
  end

  def __setobj__(object)
    __raise__ ::NotImplementedError, "need to define '__setobj__'"
  end

  def marshal_dump
    names = instance_variables.reject { |name| name.start_with?("@delegate_") }
    [:__v2__, names, names.map { |name| instance_variable_get(name) }, __getobj__]
  end

  def marshal_load(data)
    version, names, values, object = data
    return __setobj__(data) unless version == :__v2__
    names.zip(values) { |name, value| instance_variable_set(name, value) }
    __setobj__(object)
  end

  def initialize_clone(other, freeze: nil)
    __setobj__(other.__getobj__.clone(freeze: freeze))
  end

  def initialize_dup(other)
    __setobj__(other.__getobj__.dup)
  end
  private :initialize_clone, :initialize_dup

  def freeze
    __getobj__.freeze
    super()
  end

  @delegator_api = public_instance_methods

  def self.public_api = @delegator_api
end

class SimpleDelegator < Delegator
  def __getobj__
    return @delegate_sd_obj if defined?(@delegate_sd_obj)
    return yield if block_given?
    __raise__ ::ArgumentError, "not delegated"
  end

  def __setobj__(object)
    __raise__ ::ArgumentError, "cannot delegate to self" if equal?(object)
    @delegate_sd_obj = object
  end
end

def Delegator.__define(klass, name)
  if name.match?(/\A[_[:alpha:]][_[:alnum:]]*[?!]?\z/)
    Primitive.delegator_define(klass, name)
  else
    klass.define_method(name) { |*args, **options, &block| __getobj__.__send__(name, *args, **options, &block) }
  end
end

def DelegateClass(superclass, &block)
  klass = Class.new(Delegator)
  ignored = [*Delegator.public_api, :to_s, :inspect, :!~, :===]
  protected_names = superclass.protected_instance_methods - ignored
  public_names = superclass.public_instance_methods - ignored
  klass.class_eval do
    def __getobj__
      return @delegate_dc_obj if defined?(@delegate_dc_obj)
      return yield if block_given?
      __raise__ ::ArgumentError, "not delegated"
    end

    def __setobj__(object)
      __raise__ ::ArgumentError, "cannot delegate to self" if equal?(object)
      @delegate_dc_obj = object
    end
  end
  (protected_names + public_names).each { |name| Delegator.__define(klass, name) }
  klass.__send__(:protected, *protected_names) unless protected_names.empty?
  %i[public_instance_methods protected_instance_methods instance_methods].each do |list|
    klass.define_singleton_method(list) { |all = true| super(all) | superclass.__send__(list) }
  end
  { public_instance_method: :public_instance_methods, instance_method: :instance_methods }.each do |finder, list|
    klass.define_singleton_method(finder) do |name|
      super(name)
    rescue NameError
      raise unless __send__(list).include?(name)
      superclass.__send__(finder, name)
    end
  end
  klass.module_eval(&block) if block
  klass
end

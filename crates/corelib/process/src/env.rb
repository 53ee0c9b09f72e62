class << ENV
  def fetch(name, default = (missing = true))
    warn("block supersedes default value argument", uplevel: 0) if block_given? && !missing
    value = self[name]
    return value unless value.nil?
    return yield(name) if block_given?
    raise KeyError.new("key not found: #{name.inspect}", receiver: self, key: name) if missing
    default
  end

  def delete(name)
    value = Primitive.env_delete(self, name)
    return yield(name) if value.nil? && block_given?
    value
  end

  def key?(name) = !self[name].nil?
  alias include? key?
  alias has_key? key?
  alias member? key?

  def value?(value)
    value = Primitive.string_try_convert(value)
    values.include?(value) if value
  end
  alias has_value? value?

  def key(value)
    value = Primitive.string_convert(value)
    each_pair { |name, other| return name if other == value }
    nil
  end

  def each_pair
    return to_enum(Primitive.called_name(self)) { size } unless block_given?
    to_a.each { |pair| yield pair }
    self
  end

  alias each each_pair

  def each_key
    return to_enum(:each_key) { size } unless block_given?
    keys.each { |name| yield name }
    self
  end

  def each_value
    return to_enum(:each_value) { size } unless block_given?
    values.each { |value| yield value }
    self
  end

  def to_h(&block)
    hash = {}
    to_a.each { |name, value| hash[name] = value }
    block ? hash.to_h(&block) : hash
  end

  def to_hash = to_h
  def size = keys.size
  alias length size
  def empty? = keys.empty?
  def inspect = to_h.inspect
  def rehash = nil
  def freeze = raise(TypeError, "cannot freeze ENV")

  def clone(freeze: nil)
    unless freeze.nil? || freeze == true || freeze == false
      raise ArgumentError, "unexpected value for freeze: #{freeze.class}"
    end
    raise TypeError, "Cannot clone ENV, use ENV.to_h to get a copy of ENV as a hash"
  end

  def dup = raise(TypeError, "Cannot dup ENV, use ENV.to_h to get a copy of ENV as a hash")

  def assoc(name)
    name = Primitive.string_convert(name)
    value = self[name]
    value && [name, value]
  end

  def rassoc(value)
    value = Primitive.string_try_convert(value)
    return nil unless value
    to_a.each { |pair| return pair if pair[1] == value }
    nil
  end

  def clear
    keys.each { |name| Primitive.env_delete(self, name) }
    self
  end

  def replace(hash)
    hash = Primitive.hash_convert(hash)
    hash.each { |name, value| __check_pair(name, value) }
    old = keys
    hash.each { |name, value| self[name] = value }
    (old - hash.keys).each { |name| Primitive.env_delete(self, name) }
    self
  end

  def update(*hashes)
    hashes.each do |hash|
      hash = Primitive.hash_convert(hash)
      hash.each do |name, value|
        old = self[name]
        value = yield(name, old, value) if block_given? && !old.nil?
        self[name] = value
      end
    end
    self
  end
  alias merge! update

  def slice(*names)
    hash = {}
    names.each do |name|
      value = self[name]
      hash[name] = value unless value.nil?
    end
    hash
  end

  def except(*names)
    hash = to_h
    names.each { |name| hash.delete(name) }
    hash
  end

  def values_at(*names) = names.map { |name| self[name] }
  def invert = to_h.invert

  def shift
    name = keys.first
    return nil unless name
    [name, Primitive.env_delete(self, name)]
  end

  def select
    return to_enum(Primitive.called_name(self)) { size } unless block_given?
    hash = {}
    to_a.each { |name, value| hash[name] = value if yield(name, value) }
    hash
  end

  alias filter select

  def reject
    return to_enum(:reject) { size } unless block_given?
    hash = {}
    to_a.each { |name, value| hash[name] = value unless yield(name, value) }
    hash
  end

  def delete_if
    return to_enum(:delete_if) { size } unless block_given?
    to_a.each { |name, value| Primitive.env_delete(self, name) if yield(name, value) }
    self
  end

  def keep_if
    return to_enum(:keep_if) { size } unless block_given?
    to_a.each { |name, value| Primitive.env_delete(self, name) unless yield(name, value) }
    self
  end

  def reject!
    return to_enum(:reject!) { size } unless block_given?
    changed = nil
    to_a.each do |name, value|
      if yield(name, value)
        Primitive.env_delete(self, name)
        changed = self
      end
    end
    changed
  end

  def select!
    return to_enum(Primitive.called_name(self)) { size } unless block_given?
    changed = nil
    to_a.each do |name, value|
      unless yield(name, value)
        Primitive.env_delete(self, name)
        changed = self
      end
    end
    changed
  end

  alias filter! select!

  def find_all(&block) = block ? to_a.select(&block) : to_enum(:find_all)

  private

  def __check_pair(name, value)
    raise TypeError, "no implicit conversion of #{name.class} into String" unless name.respond_to?(:to_str)
    unless value.respond_to?(:to_str)
      raise TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into String"
    end
  end
end

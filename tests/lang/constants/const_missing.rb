class Auto
  def self.const_missing(name) = const_set(name, "made #{name}")
end
Auto::Thing # => "made Thing"
Auto.const_defined?(:Thing) # => true
Auto::Thing.equal?(Auto::Thing) # => true

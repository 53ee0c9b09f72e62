class Outer
  def make
    def made_later = :later
    made_later
  end
  class Inner
    def path = Module.nesting
  end
end
Outer.new.respond_to?(:made_later) # => false
Outer.new.make # => :later
Outer.new.respond_to?(:made_later) # => true
Outer::Inner.new.path # => [Outer::Inner, Outer]
m = Module.new do
  const_set(:K, 1)
  def self.k = const_get(:K)
end
m.k # => 1
m.name # => nil
m.to_s =~ /\A#<Module:0x/ # => 0

# flags: -w
# A block that the method never looks at is reported, once per method and way of passing it.
warnings = []
Warning.define_singleton_method(:warn) { |text, **| warnings << text[/the block passed to '[^']*'/] }

def plain = 1
plain {}
plain {}
2.times { plain {} }
warnings # => ["the block passed to 'Object#plain'"]
warnings.clear

b = proc {}
plain(&b)
plain(&nil)
send(:plain) {}
warnings # => ["the block passed to 'Object#plain'"]
warnings.clear

class Base
  def implicit = nil
  def explicit = nil
  def without = nil
  def own = nil
  def inner = nil
  def self.single = nil
  def initialize = nil
end
class Derived < Base
  def implicit = super
  def explicit = super()
  def without = super(&nil)
  def own = super() {}
  def inner = [1].each { |&b| b }
end
d = Derived.new {}
d.implicit {}
d.explicit {}
d.without {}
d.own {}
d.inner {}
Base.single {}
warnings # => ["the block passed to 'Derived#without'", "the block passed to 'Derived#own'", "the block passed to 'Derived#inner'", "the block passed to 'Base.single'"]
warnings.clear

# Another method of that name uses its block.
class Yields
  def shared = yield
end
class Ignores
  def shared = 1
  def each = 1
end
Ignores.new.shared {}
Ignores.new.each {}
warnings # => []

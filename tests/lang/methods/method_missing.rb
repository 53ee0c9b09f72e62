class Ghost
  def method_missing(name, *args, **opts, &blk)
    return super if name == :nope
    [name, args, opts, blk&.call]
  end
  def respond_to_missing?(name, priv) = name != :nope
end
g = Ghost.new
g.hello(1, a: 2) { 3 } # => [:hello, [1], {a: 2}, 3]
(g.x = 5) # => 5
g[1] # => [:[], [1], {}, nil]
g + 2 # => [:+, [2], {}, nil]
g.nope # raises NoMethodError: undefined method 'nope' for an instance of Ghost
g.respond_to?(:anything) # => true
g.respond_to?(:nope) # => false
g.method(:zap).call(1) # => [:zap, [1], {}, nil]

# What is spread as keywords is read and converted before the block argument is.
def keywords(**kw, &block) = [kw.keys, block.class]
hash = {a: -> {}}
keywords(**hash, &hash.delete(:a)) # => [[:a], Proc]
hash = {a: -> {}}
keywords(*[], **hash, &hash.delete(:a)) # => [[:a], Proc]
odd = Object.new
order = []
odd.define_singleton_method(:to_a) { order << :to_a; [] }
odd.define_singleton_method(:to_hash) { order << :to_hash; {} }
odd.define_singleton_method(:to_proc) { order << :to_proc; proc {} }
keywords(**odd, &odd)
keywords(*odd, **odd, &odd)
order # => [:to_hash, :to_proc, :to_a, :to_hash, :to_proc]
class Above
  def m(**kw, &block) = [kw.keys, block.class]
end
class Below < Above
  def m(hash) = super(**hash, &hash.delete(:a))
end
Below.new.m({a: -> {}}) # => [[:a], Proc]

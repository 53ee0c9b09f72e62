class Proxy
  def initialize(target) = @target = target
  ruby2_keywords def call(*args) = @target.call(*args)
end
Proxy.new(->(*a, **k) { [a, k] }).call(1, x: 2) # => [[1], {x: 2}]
def plain(*args) = ->(*a, **k) { [a, k] }.call(*args)
plain(1, x: 2) # => [[1, {x: 2}], {}]

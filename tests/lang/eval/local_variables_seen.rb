a = 1
[1].each do |b|
  c = 2
  local_variables.first(3).sort # => [:a, :b, :c]
end
def m(x, *y, k: 1, **z, &w)
  inner = 1
  local_variables
end
m(1) # => [:x, :y, :k, :z, :w, :inner]
eval("newvar = 1; local_variables.include?(:newvar)") # => true

class K
  def initialize(order) = order.each { |n| instance_variable_set("@#{n}", n) }
  def a = @a
  def z = @z
end
ks = [K.new(%w[a z]), K.new(%w[z a]), K.new(%w[b a z]), K.new([])]
ks.map(&:a) # => ["a", "a", "a", nil]
ks.map(&:z) # => ["z", "z", "z", nil]
k = ks[0]
40.times { |i| k.instance_variable_set("@v#{i}", i) }
k.instance_variables.size # => 42
k.a # => "a"
k.remove_instance_variable(:@a)
[k.a, k.z, k.instance_variable_get(:@v39)] # => [nil, "z", 39]

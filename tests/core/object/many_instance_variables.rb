# An object with many instance variables takes time and memory in proportion to them.
object = Object.new
other = Object.new
20_000.times { |i| object.instance_variable_set("@v#{i}", i) }
20_000.times { |i| other.instance_variable_set("@v#{i}", -i) if i != 10_000 }
object.instance_variables.size # => 20000
other.instance_variables.size # => 19999
(0...20_000).sum { |i| object.instance_variable_get("@v#{i}") } # => 199990000
[9_999, 10_000, 10_001].map { |i| other.instance_variable_get("@v#{i}") } # => [-9999, nil, -10001]
other.instance_variable_set(:@v10000, 1)
[other.instance_variable_get(:@v10000), other.instance_variables.last] # => [1, :@v10000]
object.remove_instance_variable(:@v5) # => 5
[object.instance_variable_defined?(:@v5), object.instance_variable_get(:@v6)] # => [false, 6]

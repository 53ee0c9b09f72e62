{ a: 1 }.transform_values { |v| v + 1 } # => {a: 2}
{ a: 1 }.transform_keys(&:to_s) # => {"a" => 1}
{ a: 1, b: 2 }.transform_keys({ a: :x }) # => {x: 1, b: 2}
{ a: 1 }.to_h { |k, v| [v, k] } # => {1 => :a}
{ a: 1, b: 2 }.invert # => {1 => :a, 2 => :b}
{ a: 1 }.map { |k, v| [k, v] } # => [[:a, 1]]
{ a: 1, b: 2 }.min_by { |k, v| -v } # => [:b, 2]
{ a: 1, b: 2 }.sum { |k, v| v } # => 3
{ b: 1, a: 2 }.sort.to_h # => {a: 2, b: 1}
{ a: 1, b: 2 }.sort_by { |k, v| -v } # => [[:b, 2], [:a, 1]]
{ a: 1, b: 1 }.group_by { |k, v| v } # => {1 => [[:a, 1], [:b, 1]]}
{ a: 1, b: 2 }.partition { |k, v| v > 1 } # => [[[:b, 2]], [[:a, 1]]]
{ a: 1, b: 2 }.each_with_index.map { |(k, v), i| [k, v, i] } # => [[:a, 1, 0], [:b, 2, 1]]
{ a: 1, b: 2 }.reduce(0) { |s, (k, v)| s + v } # => 3
{ a: 1 }.each_with_object([]) { |(k, v), acc| acc << k << v } # => [:a, 1]
{ a: 1, b: 2 }.zip([1, 2]) # => [[[:a, 1], 1], [[:b, 2], 2]]
{ a: [1, 2] }.flat_map { |k, v| v } # => [1, 2]
{ a: 1 }.transform_values!(&:to_s) # => {a: "1"}
{ a: 1 }.flatten # => [:a, 1]
{ a: 1 }.find_all { true } # => [[:a, 1]]

h = { a: 1 }
out = []
h.each { |x| out << x }
h.each { |k, v| out << [k, v] }
h.each_pair { |k| out << k }
h.each_key { |k| out << k }
h.each_value { |v| out << v }
h.map { |x| out << x }
h.any? { |x| out << x }
h.select { |x| out << x }
out # => [[:a, 1], [:a, 1], [:a, 1], :a, 1, [:a, 1], [:a, 1], :a]
h.each(&->(k, v) { }) # raises ArgumentError: wrong number of arguments (given 1, expected 2)
h.map(&->((k, v)) { k }) # => [:a]
h.each.next # => [:a, 1]

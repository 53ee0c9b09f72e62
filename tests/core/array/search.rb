a = [5, 3, 8, 3]
a.index(3) # => 1
a.rindex(3) # => 3
a.index { |x| x > 5 } # => 2
a.find_index(99) # => nil
a.include?(8) # => true
a.member?("8") # => false
a.count(3) # => 2
a.count(&:odd?) # => 3
a.count # => 4
a.find { |x| x > 4 } # => 5
a.detect { |x| x > 40 } # => nil
a.any? { |x| x > 7 } # => true
a.all?(Integer) # => true
a.none?(/x/) # => true
a.one?(8) # => true
[].any? # => false
[].all? # => true
[nil, false].any? # => false
[1, 3, 5, 7].bsearch { |x| x >= 4 } # => 5
[1, 3, 5].bsearch { |x| 3 <=> x } # => 3
[1, 3, 5].bsearch_index { |x| x >= 5 } # => 2
[[1, :a], [2, :b]].assoc(2) # => [2, :b]
[[1, :a], [2, :b]].rassoc(:a) # => [1, :a]

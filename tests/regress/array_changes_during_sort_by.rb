a = (1..50).to_a
a.sort_by { |x| a.clear if x == 25; -x }.size # => 25

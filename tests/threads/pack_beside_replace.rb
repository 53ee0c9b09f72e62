# A long array that another thread replaces meanwhile is packed as it was before or after.
FULL = Array.new(9000) { |i| i & 127 }
SHORT = [1, 2, 3]
outcomes = [FULL, SHORT].map { |list| list.pack("C*") }
changing = FULL.dup
worker = Thread.new { 300.times { changing.replace(SHORT); Thread.pass; changing.replace(FULL); Thread.pass } }
Array.new(300) { changing.pack("C*") }.all? { |packed| outcomes.include?(packed) } # => true
worker.join.alive? # => false

h = { a: 1, b: 2, c: 3, d: 4 }
h.delete(:a) # => 1
h.delete(:z) # => nil
h.delete(:z) { |k| k } # => :z
h.delete_if { |k, v| v == 2 } # => {c: 3, d: 4}
h.reject { |k, v| v == 3 } # => {d: 4}
h.select { |k, v| v == 3 } # => {c: 3}
h.filter_map { |k, v| k if v > 3 } # => [:d]
h.shift # => [:c, 3]
h.keep_if { false } # => {}
h.shift # => nil
{ a: nil, b: 1 }.compact # => {b: 1}
{ a: 1, b: 2 }.slice(:b, :z) # => {b: 2}
{ a: 1, b: 2 }.except(:b) # => {a: 1}
{ a: 1 }.clear # => {}
{ a: 1 }.reject! { false } # => nil
{ a: 1 }.select! { true } # => nil

# Objects that are moved while a method of theirs runs: it ends as if they were empty, or with an error.
# needs: 4.0
Warning[:experimental] = false
Sink = Ractor.new { loop { Ractor.receive } }
def move(object) = (Sink.send(object, move: true) unless Ractor::MovedObject === object)
def outcome = (yield; :done) rescue $!.class
fine = [:done, Ractor::MovedError, RuntimeError, TypeError, ArgumentError, NoMethodError]

list = %i[each each_with_index map map! select! reject! sort! sort_by! partition inject uniq delete_if keep_if cycle
          each_index flat_map]
list.reject { |name| fine.include?(outcome { a = ("a".."m").to_a; a.public_send(name) { |*x| move(a); x[0] } }) } # => []
table = %i[each select! reject! transform_values! transform_keys! delete_if keep_if any? group_by sum filter_map
           sort_by each_key each_value]
table.reject { |name| fine.include?(outcome { h = ("a".."m").to_h { [it.dup, it] }; h.public_send(name) { |*x| move(h); x[0] } }) } # => []
text = %i[each_char each_byte each_line each_grapheme_cluster]
text.reject { |name| fine.include?(outcome { s = "ab\n" * 20; s.public_send(name) { move(s) } }) } # => []
fine.include?(outcome { s = "ab" * 20; s.gsub!(/b/) { move(s); "c" } }) # => true
fine.include?(outcome { s = Set["a".dup, "b".dup]; s.each { move(s) } }) # => true

# What was iterated may be changed in its new place.
taker = Ractor.new { hash = Ractor.receive; hash[:new] = 1; hash.size }
hash = { a: 1 }
outcome { hash.each { taker.send(hash, move: true) } }
taker.value # => 2

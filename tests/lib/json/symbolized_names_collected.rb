# Names that `symbolize_names` makes are freed with the documents, and stay as long as one lives.
require "json"

def parsed(round) = JSON.parse(JSON.generate((0...500).to_h { |i| ["name#{round}_#{i}", i] }), symbolize_names: true)

kept = parsed(0)
10.times { |round| parsed(round + 1) }
GC.start
before = Symbol.all_symbols.size
40.times { |round| parsed(round + 100) }
GC.start
Symbol.all_symbols.size - before < 5_000 # => true
kept.keys.each_with_index.all? { |key, i| key.to_s == "name0_#{i}" && kept[:"name0_#{i}"] == i } # => true

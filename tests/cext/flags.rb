# Bits of the first words: an extension's own in its data, and what CRuby's types keep there.
require_relative "fixtures/build"
load_c("flags")

user = ->(n) { 1 << (16 + n) }
all = (0..14).sum(&user)
held = Flags.holder
Flags.tested(held, all) # => 0
(0..14).map { |n| Flags.tested(Flags.change(held, 0, user[n]), all) == (0..n).sum(&user) }.uniq # => [true]
Flags.tested(Flags.change(held, 1, user[14] | user[1]), all) == all - user[14] - user[1] # => true
Flags.tested(Flags.change(held, 2, all), all) == user[14] + user[1] # => true
Flags.tested(Flags.change(held, 3, user[0]), all) == user[14] + user[1] + user[0] # => true
Flags.tested(Flags.change(held, 4, user[1]), all) == user[14] + user[0] # => true
Flags.asked(held) # => [true, false, false, false]
Flags.asked(Flags.change(held, 5, user[3])) # => [true, true, false, false]
held.frozen? # => false

# All bits above the type's number that the collector or a type has for itself: nothing of an object changes.
owned = 0xffff7c00
point = Struct.new(:x, :y)
make = -> {
  [+"a short text", "a text that is longer than what an object holds itself" * 3, "é".encode("UTF-16LE"), [1, 2],
   [*1..50], { a: 1 }, (1..30).to_h { [it, it] }, point.new(1, 2), 2**70, 1e300, 1r / 3, 2i, 1..2, /a(b)/i,
   "ab".match(/a(b)/), Class.new, Module.new, Comparable, proc { 3 }, [].method(:size), RuntimeError.new("told"),
   Object.new.tap { |object| object.instance_variable_set(:@a, 1) }, $stdout, :symbol, nil, 1]
}
shown = ->(value) { value.inspect.gsub(/0x\h+/, "") }
unchanged = ->(value, how) { shown[value] == shown[Flags.change(value, how, owned)] && Flags.tested(value, owned) == 0 }
(0..2).all? { |how| make.call.all? { |value| unchanged[value, how] } } # => true
(3..5).all? { |how| make.call.take(23).all? { |value| unchanged[value, how] } } # => true
kept = make.call.each { |value| Flags.change(value, 2, owned) }
GC.start
kept.map(&shown) == make.call.map(&shown) # => true
kept[0].encoding # => #<Encoding:UTF-8>
[kept[0] << "!" * 50, kept[3] << 3, kept[5].update(b: 2)].map(&:size) # => [62, 3, 2]

# A hash's bit says whether its default is a proc that makes defaults.
table = Hash.new { |hash, key| [hash.size, key] }
Flags.tested(table, user[2]) == user[2] # => true
Flags.tested(Hash.new(table.default_proc), user[2]) # => 0
made = Flags.with_default_of(table)
[made[:x], made.default_proc.equal?(table.default_proc), made.default] # => [[0, :x], true, nil]
Flags.with_default_of(Hash.new(5))[:x] # => 5
Flags.change(made, 1, user[2]).then { |hash| [hash.default_proc, hash[:x].equal?(table.default_proc)] } # => [nil, true]
Flags.change(made, 2, user[2])[:y] # => [0, :y]
Flags.change(Hash.new(5), 0, user[2]).then { |hash| [hash.default_proc, hash[:x]] } # => [nil, 5]

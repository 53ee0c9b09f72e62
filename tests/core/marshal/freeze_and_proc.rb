# `freeze: true` and the proc that sees every object.
data = Marshal.dump(["a", "a", { "k" => [1.5] }, String, :s, Struct, 1..2])
list = Marshal.load(data, freeze: true)
list.frozen? # => true
list.map(&:frozen?) # => [true, true, true, false, true, false, true]
list[0].equal?(list[1]) # => true
list[2]["k"].frozen? # => true
String.frozen? # => false
seen = []
Marshal.load(Marshal.dump([1, "a", :b, [2.5], nil]), ->(o) { seen << o.inspect; o }) # => [1, "a", :b, [2.5], nil]
seen # => ["1", "true", "\"a\"", ":b", "2.5", "[2.5]", "nil", "[1, \"a\", :b, [2.5], nil]"]
Marshal.load(Marshal.dump([1, [2, 3]]), :itself.to_proc) # => [1, [2, 3]]
Marshal.load(Marshal.dump([1, [2, 3]]), ->(o) { o.is_a?(Integer) ? o * 10 : o }) # => [10, [20, 30]]
same = "same"
seen = []
Marshal.load(Marshal.dump([same, same]), ->(o) { seen << o; o }) # => ["same", "same"]
seen.size # => 4
Marshal.load(Marshal.dump("text"), ->(o) { o.to_s.upcase }, freeze: true) # => "TEXT"
class Sub < String; end
Marshal.load(Marshal.dump(Sub.new("x")), freeze: true).class # => Sub
Marshal.load(Marshal.dump(/a/)).frozen? # => false
Marshal.load(Marshal.dump(1..2)).frozen? # => true
Point = Data.define(:x)
Marshal.load(Marshal.dump(Point.new(x: [1]))).frozen? # => true

# Keywords that a native method does not know are all named.
Float(1, foo: 1, bar: 2) # raises ArgumentError: unknown keywords: :foo, :bar
Integer("1", foo: 1) # raises ArgumentError: unknown keyword: :foo
Rational(1, "x" => 1, exception: false) # raises ArgumentError: unknown keyword: "x"
Struct.new(:a, foo: 1, bar: 2) # raises ArgumentError: unknown keywords: :foo, :bar
Time.now(foo: 1, bar: 2) # raises ArgumentError: unknown keywords: :foo, :bar
Time.at(1, foo: 1) # raises ArgumentError: unknown keyword: :foo
"a".unpack("C", foo: 1, bar: 2) # raises ArgumentError: unknown keywords: :foo, :bar
"a".unpack1("C", foo: 1) # raises ArgumentError: unknown keyword: :foo
[1].pack("C", foo: 1) # raises ArgumentError: unknown keyword: :foo
warn("a", foo: 1) # raises ArgumentError: unknown keyword: :foo
Regexp.new("a", foo: 1, bar: 2) # raises ArgumentError: unknown keywords: :foo, :bar
String.new("a", foo: 1) # raises ArgumentError: unknown keyword: :foo
GC.start(foo: 1) # raises ArgumentError: unknown keyword: :foo
$stdin.read_nonblock(1, foo: 1) # raises ArgumentError: unknown keyword: :foo
KeyError.new("a", foo: 1, bar: 2) # raises ArgumentError: unknown keywords: :foo, :bar
GC.start(full_mark: true, immediate_sweep: true) # => nil

data = [1, -2**70, 1.5, "s", :sym, nil, true, { a: [1] }, 1..2, "é", Float::INFINITY]
Marshal.load(Marshal.dump(data)) == data # => true
S = Struct.new(:a)
Marshal.load(Marshal.dump(S.new([1, 2]))) # => #<struct S a=[1, 2]>
class K
  attr_accessor :x
end
k = K.new
k.x = k
copy = Marshal.load(Marshal.dump(k))
copy.x.equal?(copy) # => true
Marshal.dump([1, "a"]).bytes # => [4, 8, 91, 7, 105, 6, 73, 34, 6, 97, 6, 58, 6, 69, 84]
Marshal.dump(proc {}) # raises TypeError: no _dump_data is defined for class Proc
Marshal.dump(Object.new.tap { |o| def o.x = 1 }) # raises TypeError: singleton can't be dumped
Marshal.load("\x04\x08[") # raises ArgumentError: marshal data too short
Marshal.load("\x03\x00") rescue $!.class # => TypeError

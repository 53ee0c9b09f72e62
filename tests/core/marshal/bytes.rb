Marshal.dump(nil).bytes # => [4, 8, 48]
Marshal.dump(300).bytes # => [4, 8, 105, 2, 44, 1]
Marshal.dump(-129).bytes # => [4, 8, 105, 255, 127]
Marshal.dump(2**31).bytes # => [4, 8, 108, 43, 7, 0, 0, 0, 128]
Marshal.dump(1.5) # => "\x04\bf\b1.5"
Marshal.dump(:sym) # => "\x04\b:\bsym"
Marshal.dump("é") # => "\x04\bI\"\a\xC3\xA9\x06:\x06ET"
Marshal.dump("b".b) # => "\x04\b\"\x06b"
Marshal.dump([:a, :a]) # => "\x04\b[\a:\x06a;\x00"
Marshal.dump({ 1 => 2 }) # => "\x04\b{\x06i\x06i\a"
Marshal.dump(Hash.new(3)) # => "\x04\b}\x00i\b"
Marshal.dump(String) # => "\x04\bc\vString"
Marshal.dump(Comparable) # => "\x04\bm\x0FComparable"
Marshal.dump(1..2) # => "\x04\bo:\nRange\b:\texclF:\nbegini\x06:\bendi\a"
Marshal.dump(/a/i) # => "\x04\bI/\x06a\x01\x06:\x06EF"
S = Struct.new(:x)
Marshal.dump(S.new(1)) # => "\x04\bS:\x06S\x06:\x06xi\x06"
class U
  def marshal_dump = [1]
  def marshal_load(a) = @a = a
end
Marshal.dump(U.new) # => "\x04\bU:\x06U[\x06i\x06"
Marshal.load(Marshal.dump(U.new)).instance_variable_get(:@a) # => [1]
class V
  def _dump(level) = "data"
  def self._load(s) = s.upcase
end
Marshal.load(Marshal.dump(V.new)) # => "DATA"
Marshal.load("\x04\bi\x02,\x01") # => 300
Marshal.load(Marshal.dump([1, [2]]), ->(x) { x.is_a?(Integer) ? x * 2 : x }) # => [2, [4]]
Marshal.load(Marshal.dump("a"), freeze: true).frozen? # => true
Marshal.load("") # raises ArgumentError: marshal data too short
Marshal.load("\x04\x08o:\x09NopeX\x00") # raises ArgumentError: undefined class/module Nope
Marshal.dump(-> {}) # raises TypeError: no _dump_data is defined for class Proc

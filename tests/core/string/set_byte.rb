# Bytes are set in loops that become machine code, and everything that may not be set raises as before.

def fill(string, bytes)
  i = 0
  while i < bytes.size
    string.setbyte(i, bytes[i])
    i += 1
  end
  string
end

200.times.map { fill(+"abc", [120, 121, 122]) }.uniq # => ["xyz"]
fill(+"abc", [0x3e3, 0x81, 0x182].map { |byte| byte & 0xff }).bytes # => [227, 129, 130]
fill(+"abc", [256 + 65, -191, 2**64 + 67]) # => "AAC"
fill("aä".dup, [66]).valid_encoding? # => true
fill("aä".dup, [66, 67]).valid_encoding? # => false

shared = +"x" * 100
copy = shared.dup
fill(copy, [65]).start_with?("Ax") # => true
shared.start_with?("xx") # => true

fill("abc".freeze, [1]) # raises FrozenError: can't modify frozen String: "abc"
fill(+"", [1]) # raises IndexError: index 0 out of string
(+"abc").setbyte(-4, 1) # raises IndexError: index -4 out of string
(+"abc").tap { |s| s.setbyte(-1, 100) } # => "abd"
(+"a").setbyte(0, 66.0) # => 66.0
(+"a").setbyte(0, nil) # raises TypeError: no implicit conversion of nil into Integer

# String#setbyte: what is known about the characters follows the byte
s = "aé"
s.valid_encoding? # => true
s.setbyte(0, 98) # => 98
s # => "bé"
[s.valid_encoding?, s.ascii_only?, s.length] # => [true, false, 2]
s.setbyte(2, 0xaa)
s # => "bê"
s.valid_encoding? # => true
s.setbyte(1, 97)
s.valid_encoding? # => false
s.setbyte(2, 97)
[s, s.valid_encoding?, s.ascii_only?] # => ["baa", true, true]
s.setbyte(-1, 0x80)
[s.valid_encoding?, s.ascii_only?, s.length] # => [false, false, 3]

s = "日本"
s.length # => 2
s.setbyte(-1, 0x80)
[s, s.valid_encoding?, s.length] # => ["日最", true, 2]
s.setbyte(3, 0xc3)
[s.valid_encoding?, s.length] # => [false, 3]
s.setbyte(3, 0xf0)
s.valid_encoding? # => false
s.setbyte(5, 0xa4)
s.valid_encoding? # => false

# The last character beyond ASCII goes.
s = "é"
s.length # => 1
s.setbyte(0, 97)
s.setbyte(1, 97)
[s.ascii_only?, s.valid_encoding?, s.length] # => [true, true, 2]

s = "é".encode("UTF-16LE")
s.valid_encoding? # => true
s.setbyte(1, 0xd8)
s.valid_encoding? # => false

# Repeated strings know what the first one was.
[("a" * 9).ascii_only?, ("é" * 9).valid_encoding?, ("é" * 9).length] # => [true, true, 9]
[("\xff" * 3).valid_encoding?, ("\xc3" * 2).valid_encoding?] # => [false, false]
("a" * 9).b.force_encoding("UTF-8").ascii_only? # => true
("\xa9" * 2).b.prepend("\xc3".b).force_encoding("UTF-8").valid_encoding? # => false

# needs: 4.0
require "strscan"
s = StringScanner.new(+"äöü\nxyz")
s.getch # => "ä"
s.pos # => 2
s.charpos # => 1
s.get_byte # => "\xC3"
s.charpos # => 2
s.peek(3) # => "\xB6ü"
s.peek(-1) # raises ArgumentError: negative string size (or size too big)
s.peek_byte # => 182
s.scan_byte # => 182
s.pos = -3 # => -3
s.bol? # => true
s.scan(/^xy/) # => "xy"
s.pos = 100 # raises RangeError: index out of range
s.pos = -100 # raises RangeError: index out of range
s << "0x1F -12 +" # => #<StringScanner 9/20 "...\xC3\xBC\nxy" @ "z0x1F...">
s.skip(/z/) # => 1
s.scan_integer # => 0
s.unscan.pos # => 10
s.scan_integer(base: 16) # => 31
s.scan_integer # => nil
s.skip(/ /) # => 1
s.scan_integer # => -12
s.matched # => "-12"
s.skip(/ /) # => 1
s.scan_integer # => nil
s.scan_integer(base: 2) # raises ArgumentError: Unsupported integer base: 2, expected 10 or 16
StringScanner.new("123456789012345678901234567890").scan_integer # => 123456789012345678901234567890
StringScanner.new("-ffffffffffffffffffff").scan_integer(base: 16) # => -1208925819614629174706175
StringScanner.new("1".encode("UTF-16LE")).scan_integer # raises Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16LE
f = StringScanner.new("ab\ncd", fixed_anchor: true)
f.fixed_anchor? # => true
f.scan(/ab/) # => "ab"
f.scan(/^/) # => nil
f.scan(/\n/) # => "\n"
f.scan(/^c/) # => "c"
f.scan(/\Ad/) # => nil
f.scan(/(?<=c)d/) # => "d"
f.pre_match # => "ab\nc"
g = StringScanner.new("ab\ncd")
g.scan(/ab/) # => "ab"
g.scan(/^/) # => ""
g.scan(/\A\n/) # => "\n"
g.scan(/(?<=\n)c/) # => nil
g.string = "shorter"
g.pos # => 0
g.string.replace("x")
g.pos = 1
g.string.replace("")
g.scan(/x/) # => nil
g.eos? # => true
g.rest # => ""

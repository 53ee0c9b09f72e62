# Deep and hostile data ends in an exception, and lengths that lie cost nothing.
def outcome
  yield
  :done
rescue SystemStackError => e
  e.message
end
deep = []
100_000.times { deep = [deep] }
["stack level too deep", :done].include?(Thread.new { outcome { Marshal.dump(deep) } }.value) # => true
bytes = "\x04\x08".b + "[\x06".b * 3_000_000 + "0"
Thread.new { outcome { Marshal.load(bytes) } }.value # => "stack level too deep"
Marshal.load("\x04\x08".b + "[\x06".b * 2000 + "0").flatten # => [nil]
Marshal.load("\x04\x08[\x04\xff\xff\xff\x7f") # raises ArgumentError: marshal data too short
Marshal.load("\x04\x08{\x04\xff\xff\xff\x7f") # raises ArgumentError: marshal data too short
Marshal.load("\x04\x08\"\x04\xff\xff\xff\x7f") # raises ArgumentError: marshal data too short
Marshal.load("\x04\x08l+\x04\xff\xff\xff\x7f") # raises ArgumentError: marshal data too short
Marshal.load("\x04\x08I\"\x00\x04\xff\xff\xff\x7f") # raises ArgumentError: marshal data too short

# Every prefix of a dump is too short, every changed byte gives an object or an exception.
Entry = Struct.new(:a, :b)
whole = Marshal.dump([1, "two", :three, 4.5, { a: [1 << 70] }, Entry.new(1, "x"), 1..2, String, /r/i,
                      Time.at(0, 5, :nsec).utc, "é".encode("UTF-16LE")])
(0...whole.bytesize).reject { |n| begin Marshal.load(whole[0, n]); rescue ArgumentError; true; end } # => []
outcomes = Hash.new(0)
whole.bytesize.times do |at|
  [0, 1, 5, 0x40, 0x49, 0x7f, 0xff].each do |byte|
    changed = whole.dup
    changed.setbyte(at, byte)
    begin
      Marshal.load(changed)
      outcomes[:loaded] += 1
    rescue StandardError, SystemStackError
      outcomes[:refused] += 1
    end
  end
end
outcomes.values.sum == whole.bytesize * 7 # => true

# Strings that are made on an extension's own bytes have these, not a copy, until they are changed.
require_relative "fixtures/build"
load_c("lasting")

Lasting.made # => "everlasting text"
Lasting.made.encoding # => #<Encoding:UTF-8>
Lasting.place(Lasting.made) # => 0
Lasting.part(4, 7) # => [4, 7]
Lasting.part(-4, 9) # => [12, 4]
Lasting.word # => "ever"
Lasting.word.encoding # => #<Encoding:US-ASCII>
Lasting.cstr(Lasting.word) # => "ever"
Lasting.cstr(Lasting.made) # => "everlasting text"

# Changes go to a copy.
copy = Lasting.change(Lasting.made)
copy # => "Everlasting text"
Lasting.place(copy) # => nil
Lasting.made << "!" # => "everlasting text!"
Lasting.made.tap { |text| text[0] = "n" } # => "nverlasting text"
Lasting.made.upcase! # => "EVERLASTING TEXT"
Lasting.made.clear # => ""
Lasting.made.prepend("an ") # => "an everlasting text"
Lasting.made.force_encoding("BINARY").setbyte(0, 65) # => 65
Lasting.cut(Lasting.made.tap { |text| Lasting.change(text) }, 4) # => "Ever"
Lasting.resize(Lasting.made, 4) # => "ever"
Lasting.resize(Lasting.made, 40).bytesize # => 40
Lasting.own # => "everlasting text"

# Parts and copies of them, names, keys.
Lasting.made[4..] # => "lasting text"
Lasting.made[0, 4].to_sym # => :ever
Lasting.made.dup << "." # => "everlasting text."
{ Lasting.made => 1 }["everlasting text"] # => 1
-Lasting.made # => "everlasting text"
[Lasting.made, Lasting.made].uniq.size # => 1
Lasting.made.freeze.frozen? # => true
Lasting.made * 2 # => "everlasting texteverlasting text"
10_000.times { Lasting.made[2..].slice!(0, 3) }
GC.start
Lasting.own # => "everlasting text"

Lasting.none # => ["", "\x00\x00\x00", "lit"]
Lasting.negative # raises ArgumentError: negative string size (or size too big)

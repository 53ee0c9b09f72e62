require "zlib"
data = Array.new(20_000) { |n| (n * 7919 % 251).chr }.join
packed = Zlib.deflate(data)
out = +""
i = Zlib::Inflate.new
packed.each_char.each_slice(97) { |s| out << i.inflate(s.join) }
out << i.finish
out == data.b # => true
i.total_out # => 20000
chunks = 0
z = Zlib::Inflate.new
z.inflate(packed) { |chunk| chunks += 1 }
chunks > 0 # => true
z.avail_in # => 0
dict = "common words"
d = Zlib::Deflate.new
d.set_dictionary(dict)
with_dictionary = d.deflate("common words and more", Zlib::FINISH)
j = Zlib::Inflate.new
j.inflate(with_dictionary) # raises Zlib::NeedDict: need dictionary
j.set_dictionary(dict)
j.inflate("") # => "common words and more"

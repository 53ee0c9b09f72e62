apps_require "bindata"

class Rec < BinData::Record
  endian :big
  uint8 :len, value: -> { str.length }
  string :str, read_length: :len
  array :xs, type: :int16, initial_length: 2
  bit4 :a
  bit4 :b
  stringz :z, max_length: 5
  choice :c, selection: :a do
    uint8 1
    uint16 :default
  end
  struct :s do
    float :f
    skip length: 1
    count_bytes_remaining :r
  end
end
r = Rec.read("\x03abc\x00\x01\xff\xff\x12hi\x00\x09\x3f\x80\x00\x00\x01rest".b)
p r, r.to_binary_s, r.num_bytes, r.snapshot
told { Rec.read("\x09a") }
p Rec.new(str: "xyz", xs: [1, 2]).to_hex

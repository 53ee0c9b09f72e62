# What is given is converted before anything is changed.
# needs: 4.0
class Liar; def to_proc = 1; def inspect = "#<Liar>"; end
{ a: 1 }.freeze.transform_keys!(nil) # raises TypeError: no implicit conversion of nil into Hash
{}.default_proc = Liar.new # raises TypeError: can't convert Liar into Proc (Liar#to_proc gives Integer)
h = {}
h.public_send(:default_proc=, :upcase).lambda? # => true
[1].freeze.delete_at(nil) # raises TypeError: no implicit conversion from nil to integer
[1].freeze.delete_at(5) # => nil
[1].freeze.delete_at(0) # raises FrozenError: can't modify frozen Array: [1]
[1].freeze.rotate!(nil) # raises TypeError: no implicit conversion from nil to integer
[1].freeze.fill # raises ArgumentError: wrong number of arguments (given 0, expected 1..3)
Time.at(1.5).utc.round(nil) # => 1970-01-01 00:00:02 UTC
File.foreach(0) { } # raises TypeError: no implicit conversion of Integer into String
Dir[["*"]] # raises TypeError: no implicit conversion of Array into String
Struct.new(:a).new(1).to_h { nil } # raises TypeError: wrong element type nil (expected array)

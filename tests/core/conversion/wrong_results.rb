# Implicit conversions whose methods give something else, nil included: the message names its class.
odd = Class.new { %i[to_ary to_str to_hash to_io to_int].each { |name| define_method(name) { nil } } }
Odd = odd
[].replace(Odd.new) # raises TypeError: can't convert Odd into Array (Odd#to_ary gives nil)
[1] & Odd.new # raises TypeError: can't convert Odd into Array (Odd#to_ary gives nil)
"a" + Odd.new # raises TypeError: can't convert Odd into String (Odd#to_str gives nil)
{}.merge(Odd.new) # raises TypeError: can't convert Odd into Hash (Odd#to_hash gives nil)
p(**Odd.new) # raises TypeError: can't convert Odd into Hash (Odd#to_hash gives nil)
IO.select([Odd.new]) # raises TypeError: can't convert Odd into IO (Odd#to_io gives nil)
[1].first(Odd.new) # raises TypeError: can't convert Odd into Integer (Odd#to_int gives nil)
class True; def to_str = true; end
"a" + True.new # raises TypeError: can't convert True into String (True#to_str gives true)
# Where an object may be of another kind nil says that it is none.
[[Odd.new]].flatten.size # => 1
Array(Odd.new).size # => 1
String.try_convert(Odd.new) # => nil
("a" == Odd.new) # => false

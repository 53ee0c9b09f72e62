# What converts to an Integer is the number of a file; what ENV holds is asked with Strings.
# needs: 4.0
class Two; def to_int = 2; end
class Liar; def to_str = 1; end
File.new(Two.new).fileno # => 2
File.new(1.5).fileno # => 1
File.new(2**64) # raises RangeError: bignum too big to convert into 'long'
File.open(__FILE__).each_line(Float::NAN).to_a # raises RangeError: float NaN out of range of integer
ENV.has_value?(Liar.new) # raises TypeError: can't convert Liar into String (Liar#to_str gives Integer)
ENV.rassoc(Liar.new) # raises TypeError: can't convert Liar into String (Liar#to_str gives Integer)
ENV.has_value?(1) # => nil
ENV.filter.inspect[/:\w+!?>\z/] # => ":filter>"
ENV.filter!.inspect[/:\w+!?>\z/] # => ":filter!>"
ENV.each.inspect[/:\w+!?>\z/] # => ":each>"
Encoding::UTF_8.name.frozen? # => true
Encoding::UTF_8.to_s.frozen? # => true
Random.bytes(nil) # raises TypeError: no implicit conversion of nil into Integer
Random.bytes(Float::NAN) # raises FloatDomainError: NaN
Hash(true) # raises TypeError: can't convert TrueClass into Hash
GC.stat_heap(1.5) # raises TypeError: heap_name must be nil or an Integer

# Classes without instances of their own, and objects that `initialize` never saw.
Integer.allocate # raises TypeError: allocator undefined for Integer
Class.instance_method(:allocate).bind_call(Integer) # raises TypeError: allocator undefined for Integer
Proc.allocate # raises TypeError: allocator undefined for Proc
Data.allocate # raises TypeError: allocator undefined for Data
Data.new # raises NoMethodError: undefined method 'new' for class Data
Struct.allocate # raises TypeError: allocator undefined for Struct
Thread.allocate # raises TypeError: allocator undefined for Thread
Thread.method(:allocate).owner # => Class
TracePoint.allocate # raises TypeError: allocator undefined for TracePoint
RubyVM::InstructionSequence.allocate # raises TypeError: allocator undefined for RubyVM::InstructionSequence
Rational.allocate # raises NoMethodError: undefined method 'allocate' for class Rational
Complex.allocate # raises NoMethodError: undefined method 'allocate' for class Complex
MatchData.allocate # raises NoMethodError: undefined method 'allocate' for class MatchData

unfinished = Class.allocate
unfinished.new # raises TypeError: can't instantiate uninitialized class
unfinished.allocate # raises TypeError: can't instantiate uninitialized class
Class.new(unfinished) # raises TypeError: can't inherit uninitialized class
Class.new(BasicObject).allocate.__id__.class # => Integer

Enumerator::Chain.allocate.size # raises ArgumentError: uninitialized chain
Enumerator::Chain.allocate.each { } # raises ArgumentError: uninitialized chain
Enumerator::Product.allocate.size # raises ArgumentError: uninitialized product
Enumerator::Lazy.allocate.first # raises ArgumentError: uninitialized enumerator
Enumerator::Lazy.allocate.map { } # raises ArgumentError: uninitialized enumerator
Enumerator::Yielder.allocate << 1 # raises ArgumentError: uninitialized yielder
Enumerator::Generator.allocate.each { } # raises ArgumentError: uninitialized generator
Enumerator::Chain.undefined_instance_methods.sort # => [:feed, :next, :next_values, :peek, :peek_values]
Enumerator::Product.undefined_instance_methods.sort # => [:feed, :next, :next_values, :peek, :peek_values]

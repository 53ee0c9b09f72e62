# What cannot be dumped, and bytes that are no dump.
Marshal.dump(proc {}) # raises TypeError: no _dump_data is defined for class Proc
Marshal.dump(STDOUT) # raises TypeError: can't dump IO
Marshal.dump("a".match(/a/)) # raises TypeError: can't dump MatchData
Marshal.dump(Hash.new { 1 }) # raises TypeError: can't dump hash with default proc
Marshal.dump(Thread.current) # raises TypeError: no _dump_data is defined for class Thread
Marshal.dump([1].each) # raises TypeError: no _dump_data is defined for class Enumerator
Marshal.dump(Mutex.new) # raises TypeError: no _dump_data is defined for class Thread::Mutex
Marshal.dump(class << self; self; end) # raises TypeError: singleton class can't be dumped
with_method = Object.new
def with_method.x = 1
Marshal.dump(with_method) # raises TypeError: singleton can't be dumped
Marshal.dump([[[]]], 2) # raises ArgumentError: exceed depth limit
Marshal.dump([[[]]], 3).bytesize # => 8
Marshal.dump(1, nil) # raises TypeError: instance of IO needed
Marshal.dump(1, Object.new) # raises TypeError: instance of IO needed
Marshal.load("") # raises ArgumentError: marshal data too short
Marshal.load("\x04") # raises ArgumentError: marshal data too short
Marshal.load("\x04\x08") # raises ArgumentError: marshal data too short
Marshal.load("\x03\x00i\x00") # raises TypeError: incompatible marshal file format (can't be read)\n	format version 4.8 required; 3.0 given
Marshal.load("\x04\x09i\x00") # raises TypeError: incompatible marshal file format (can't be read)\n	format version 4.8 required; 4.9 given
Marshal.load("\x04\x08?") # raises ArgumentError: dump format error(0x3f)
Marshal.load("\x04\x08[\x07i\x06") # raises ArgumentError: marshal data too short
Marshal.load("\x04\x08\"\x0aab") # raises ArgumentError: marshal data too short
Marshal.load("\x04\x08@\x06") # raises ArgumentError: dump format error (unlinked)
Marshal.load("\x04\x08;\x06") # raises ArgumentError: bad symbol
Marshal.load("\x04\x08o:\x08Foox\x00") # raises ArgumentError: undefined class/module Foo
Marshal.load("\x04\x08o:\x09Foo::Bar\x00") # raises ArgumentError: undefined class/module Foo
Marshal.load("\x04\x08o:\x0bString\x00") # raises ArgumentError: dump format error
Marshal.load("\x04\x08o:\x0bKernel\x00") # raises ArgumentError: Kernel does not refer to class
Marshal.load("\x04\x08o:\x0fComparable\x00") # raises ArgumentError: Comparable does not refer to class
Marshal.load("\x04\x08S:\x0bString\x00") # raises TypeError: class String not a struct
Marshal.load("\x04\x08u:\x0bString\x00") # raises TypeError: class String needs to have method '_load'
Marshal.load("\x04\x08U:\x0bStringi\x00") # raises TypeError: instance of String needs to have method 'marshal_load'
Marshal.load("\x04\x08l?\x06ab") # raises ArgumentError: invalid Bignum sign
Marshal.load("\x04\x08[\xfa") # raises ArgumentError: negative length
Marshal.load("\x04\x08C:\x0bStringi\x00") # raises ArgumentError: dump format error (user class)
Marshal.load("\x04\x08C:\x0bString[\x00") # raises ArgumentError: dump format error (user class)
Marshal.load("\x04\x08Ii\x06\x06:\x06ET") # raises ArgumentError: 1 is not enc_capable
Marshal.load("\x04\x08Ii\x06\x06:\x07@ai\x00") # raises FrozenError: can't modify frozen Integer: 1
Marshal.load("\x04\x08Ic\x0bString\x06:\x07@ai\x00") # raises TypeError: can't override instance variable of class 'String'
Marshal.load("\x04\x08I:\x06\xff\x06:\x06ET") # raises ArgumentError: invalid byte sequence in UTF-8: "\xFF"
Marshal.load("\x04\x08[\x07[\x00@\x06") # => [[], []]
Marshal.load(1) # raises TypeError: instance of IO needed
Marshal.load("\x04\x08i\x00", frozen: true) # raises ArgumentError: unknown keyword: :frozen
Record = Struct.new(:a, :b)
Marshal.load("\x04\x08S:\x0bRecord\x06:\x06ai\x00") # raises TypeError: struct Record not compatible (struct size differs)
Marshal.load("\x04\x08S:\x0bRecord\x07:\x06ai\x00:\x06ci\x00") # raises TypeError: struct Record not compatible (:c for :b)
class SameClass
  def marshal_dump = SameClass.new
end
Marshal.dump(SameClass.new) # raises RuntimeError: SameClass#marshal_dump returned same class instance
class NoString
  def _dump(level) = 1
end
Marshal.dump(NoString.new) # raises TypeError: _dump() must return string
Marshal.dump(Class.new.new) rescue $!.message.sub(/0x\h+/, "0x") # => "can't dump anonymous class #<Class:0x>"

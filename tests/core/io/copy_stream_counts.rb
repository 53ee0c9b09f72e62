# IO.copy_stream believes what an object says that it has written, more than everything and less than nothing.
require "stringio"
require "tempfile"
PATH = Tempfile.create("copied").tap { it << "abcdefgh\n"; it.close }.path
def to(answer) = Object.new.tap { |target| target.define_singleton_method(:write) { |_| answer } }
def copy(source, answer, *length) = (IO.copy_stream(source, to(answer), *length) rescue "#{$!.class}: #{$!.message}")
copy(PATH, -1) # => -1
copy(PATH, 1) # => 1
copy(PATH, 10_000) # => 10000
copy(PATH, 4.9) # => 4
copy(PATH, nil) # => "TypeError: no implicit conversion from nil to integer"
copy(PATH, "4") # => "TypeError: no implicit conversion of String into Integer"
copy(PATH, 2**70) # => "RangeError: bignum too big to convert into 'long'"
copy(PATH, -1, 5) # => -2
copy(PATH, 1, 5) # => 2
copy(PATH, 10_000, 5) # => "Errno::EFAULT: Bad address - read"
copy(StringIO.new("abcdef"), -1) # => -1
copy(StringIO.new("abcdef"), -1, 5) # => -2
copy(StringIO.new("abcdef"), 1, 5) # => 2
copy(StringIO.new("abcdef"), 10_000, 5) # => "ArgumentError: negative length -9995 given"
copy(StringIO.new("abcdef"), 10_000) # => 10000
File.open(PATH) { |file| [file.getc, copy(file, -1)] } # => ["a", 8]
File.delete(PATH)

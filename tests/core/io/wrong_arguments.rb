# Wrong arguments, closed streams, streams of the other direction.
require "tempfile"
require "stringio"
file = Tempfile.new
file.write("text\n")
file.close
path = file.path
shown = ->(error) { error.message.sub(path, "FILE") }
reader = File.open(path)
writer = File.open(path, "r+")
closed = File.open(path).tap(&:close)
def failure
  yield
rescue => error
  "#{error.class}: #{error.message}"
end
named = -> { it.sub(path, "FILE") }

# Nothing is written to a stream of any mode.
[reader.write(""), (reader << "").equal?(reader), reader.print(""), reader.printf(""), reader.putc("")] # => [0, true, nil, nil, ""]
reader << "x" # raises IOError: not opened for writing
closed.print("") # => nil
reader.printf # raises ArgumentError: too few arguments
reader.putc(nil) # raises TypeError: no implicit conversion from nil to integer
reader.putc(2**70) # raises RangeError: bignum too big to convert into 'long'
StringIO.new.putc(2**70) # raises RangeError: bignum too big to convert into 'long'

# Errors of the system name CRuby's function and the path; an IO without a path has neither.
named.(failure { reader.seek(-1) }) # => "Errno::EINVAL: Invalid argument @ rb_io_seek - FILE"
named.(failure { reader.pos = -1 }) # => "Errno::EINVAL: Invalid argument @ rb_io_set_pos - FILE"
named.(failure { reader.sysseek(-1) }) # => "Errno::EINVAL: Invalid argument @ rb_io_sysseek - FILE"
named.(failure { reader.flock(0) }) # => "Errno::EINVAL: Invalid argument @ rb_file_flock - FILE"
named.(failure { writer.pwrite("a", -1) }) # => "Errno::EINVAL: Invalid argument @ rb_io_pwrite - FILE"
File.read(path, 1, -1) # raises ArgumentError: negative offset -1 given
IO.pipe { |r, _| failure { r.pos } } # => "Errno::ESPIPE: Illegal seek"

reader.advise(nil) # raises TypeError: advice must be a Symbol
reader.sysread(-1) # raises ArgumentError: negative string size (or size too big)
reader.readpartial(-1) # raises ArgumentError: negative length -1 given
reader.ungetc(-1) # raises RangeError: invalid codepoint 0xFFFFFFFF in UTF-8
closed.each_line(0) { } # raises IOError: closed stream
closed.readlines(0) # raises IOError: closed stream
closed.set_encoding(1) # raises IOError: closed stream
reader.readlines(0) # raises ArgumentError: invalid limit: 0 for readlines

# Times that no clock reaches.
reader.timeout = 2**70 # raises RangeError: bignum too big to convert into 'long'
reader.timeout = 1e30 # raises RangeError: 1000000000000000019884624838656.000000 out of Time range
reader.wait_readable(Float::INFINITY) # raises RangeError: Inf out of Time range
sleep(Float::INFINITY) # raises RangeError: Inf out of Time range
forever = Thread.new { IO.pipe { |r, _| IO.select([r], nil, nil, Float::INFINITY) } }
Thread.pass until forever.stop?
forever.kill.join.status # => false
[reader, writer].each(&:close)
file.unlink

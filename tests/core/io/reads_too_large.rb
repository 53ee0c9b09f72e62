# A read that the machine has no memory for is a NoMemoryError, however little there is to read, and loses nothing.
require "tempfile"
HUGE = 2**60
file = Tempfile.create("small").tap { it << "small"; it.flush; it.rewind }
file.read(HUGE) # raises NoMemoryError: failed to allocate memory
file.readpartial(HUGE) # raises NoMemoryError: failed to allocate memory
file.sysread(HUGE) # raises NoMemoryError: failed to allocate memory
file.pread(HUGE, 0) # raises NoMemoryError: failed to allocate memory
file.read_nonblock(HUGE) # raises NoMemoryError: failed to allocate memory
File.read(file.path, HUGE) # raises NoMemoryError: failed to allocate memory
buffer = +"kept"
file.read(HUGE, buffer) # raises NoMemoryError: failed to allocate memory
file.read(2**64) # raises RangeError: bignum too big to convert into 'long'
file.gets(HUGE) # => "small"
file.read(3) # => nil
r, w = IO.pipe
w << "piped"
w.close
r.read(HUGE) # raises NoMemoryError: failed to allocate memory
r.read(9) # => "piped"
r.close
File.delete(file.path)
file.close

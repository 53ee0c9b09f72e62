# IO objects that C code opens and closes itself: what it writes into the structure counts.
require_relative "fixtures/build"
require "socket"
load_c("opened")
READ, WRITE = 1, 2
reader, writer = IO.pipe
mine = Opened.opened(IO, writer.fileno, WRITE)
mine.fileno > 2 # => true
mine.binmode? # => true
mine.sync # => true
mine.write("hello") # => 5
reader.readpartial(10) # => "hello"
mine.read # raises IOError: not opened for reading
mine.close # => nil
mine.closed? # => true

socket, peer = UNIXSocket.pair
other = Opened.opened(UNIXSocket, peer.fileno, READ | WRITE)
peer.close
other.write("to the socket") # => 13
socket.recv(20) # => "to the socket"
socket.write("back\n") # => 5
other.gets # => "back\n"
other.class # => UNIXSocket

# Before the descriptor is told there is none, in whichever fiber.
seen = nil
Opened.opened(IO, writer.fileno, WRITE) { |io| seen = io.closed? }.close
seen # => true
late = Fiber.new { Opened.opened(IO, writer.fileno, WRITE) { |io| Fiber.yield(io) } }
early = late.resume
Opened.looked_at(reader)[1..] # => [0, 1]
early.closed? # => true
late.resume.equal?(early) # => true
early.write("late") # => 4
reader.readpartial(10) # => "late"

# What C code has closed is closed, and its descriptor is not closed again when another has it.
Opened.closed(early).closed? # => true
early.write("x") # raises IOError: closed stream
number = other.fileno
waiting = Fiber.new { Opened.closed(other) { Fiber.yield } }
waiting.resume
Opened.looked_at(reader)
files = Array.new(20) { File.open(IO::NULL) }
taken = files.find { |file| file.fileno == number }
waiting.resume
other.closed? # => true
GC.start
taken.read # => ""
Opened.closed(IO.allocate) # raises IOError: uninitialized stream
Opened.opened(String, 1, 1) # raises TypeError: wrong argument type String (expected File)
Opened.opened(IO, writer.fileno, WRITE) { GC.start }.close
50.times { Fiber.new { Opened.opened(IO, writer.fileno, WRITE) { Fiber.yield } }.resume }
GC.start
Opened.looked_at(reader)[0] == reader.fileno # => true

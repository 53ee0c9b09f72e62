# What was read is kept in as much memory as it takes, however much was asked for.
require "objspace"
require "socket"
TEXT = "m" * 100
def short?(string) = [string.size, ObjectSpace.memsize_of(string) < 1000]

reader, writer = IO.pipe
read = lambda do |&block|
  writer << TEXT
  writer.flush
  short?(block.call)
end
read.call { reader.readpartial(65_536) } # => [100, true]
read.call { reader.read_nonblock(65_536) } # => [100, true]
read.call { reader.sysread(65_536) } # => [100, true]
read.call { reader.readpartial(65_536, +"") } # => [100, true]
read.call { reader.read_nonblock(65_536, +"") } # => [100, true]
here, there = UNIXSocket.pair
send = lambda do |&block|
  there.write(TEXT)
  short?(block.call)
end
send.call { here.recv(65_536) } # => [100, true]
send.call { here.recv_nonblock(65_536) } # => [100, true]
send.call { here.recvmsg(65_536).first } # => [100, true]
there << TEXT
there.close
short?(here.read(65_536)) # => [100, true]
File.open(__FILE__) { |file| file.size < 16_000 && ObjectSpace.memsize_of(file.pread(65_536, 0)) < 20_000 } # => true

# What is not there yet, and what is at its end.
reader.read_nonblock(65_536, exception: false) # => :wait_readable
reader.read_nonblock(65_536) # raises IO::EAGAINWaitReadable: Resource temporarily unavailable - read would block
buffer = +"before"
reader.read_nonblock(65_536, buffer, exception: false) # => :wait_readable
buffer # => "before"
writer.close
reader.read_nonblock(65_536, buffer, exception: false) # => nil
buffer # => ""
reader.read_nonblock(65_536) # raises EOFError: end of file reached

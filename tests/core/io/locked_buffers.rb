# A String that a read is to fill refuses changes while the read waits, as does one below an IO::Buffer.
require "socket"

def refused(string)
  string << "x"
rescue => e
  [e.class, e.message]
end

def while_waiting(string, io)
  thread = Thread.new { yield }
  Thread.pass until thread.stop?
  found = refused(string)
  io.write("12345")
  [found, thread.value, string, refused(string).class]
end

LOCKED = [RuntimeError, "can't modify string; temporarily locked"]
r, w = IO.pipe
s = +"before"
while_waiting(s, w) { r.read(5, s) } # => [[RuntimeError, "can't modify string; temporarily locked"], "12345x", "12345x", String]
while_waiting(s, w) { r.readpartial(5, s) } # => [[RuntimeError, "can't modify string; temporarily locked"], "12345x", "12345x", String]
while_waiting(s, w) { r.sysread(5, s) } # => [[RuntimeError, "can't modify string; temporarily locked"], "12345x", "12345x", String]
a, b = UNIXSocket.pair
while_waiting(s, b) { a.recv(5, 0, s) } # => [[RuntimeError, "can't modify string; temporarily locked"], "12345x", "12345x", String]
while_waiting(s, b) { a.recvfrom(5, 0, s)[0] } # => [[RuntimeError, "can't modify string; temporarily locked"], "12345x", "12345x", String]
while_waiting(s, b) { a.readpartial(5, s) } # => [[RuntimeError, "can't modify string; temporarily locked"], "12345x", "12345x", String]

# Every kind of change.
t = +"text"
reader = Thread.new { r.read(1, t) }
Thread.pass until reader.stop?
[-> { t.clear }, -> { t.replace("") }, -> { t.force_encoding("BINARY") }, -> { t[0] = "" }, -> { t.upcase! }, -> { t.concat("a") }, -> { t.squeeze! }, -> { t.setbyte(0, 1) }, -> { t.insert(0, "") }, -> { t.prepend("a") }, -> { r.read(1, t) }].map { |change| (change.call; nil) rescue $!.message }.uniq # => ["can't modify string; temporarily locked"]
t # => "text"
t.dup << "x" # => "textx"

# A read that is killed, raises or is closed gives the String back.
reader.kill.join
t << "y" # => "texty"
raised = Thread.new { r.read(1, t) rescue $!.message }
Thread.pass until raised.stop?
raised.raise("now")
raised.value # => "now"
t << "z" # => "textyz"
closed = Thread.new { r.read(1, t) rescue $!.message }
Thread.pass until closed.stop?
r.close
closed.value # => "stream closed in another thread"
t << "!" # => "textyz!"

under = +"under"
IO::Buffer.for(under) { |buffer| [refused(under), buffer.set_string("x"), under] } # => [[RuntimeError, "can't modify string; temporarily locked"], 1, "xnder"]
(IO::Buffer.for(under) { raise "left" }) rescue $!.message # => "left"
under << "!" # => "xnder!"

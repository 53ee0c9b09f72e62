# Half-closed sockets: one direction ends, the other goes on, in either order and with waiting threads;
# closing both halves closes the socket.
# timeout: 30
require "socket"
def descriptors = Dir.children("/proc/self/fd").sort
def tcp = TCPServer.open("127.0.0.1", 0) { |server| [TCPSocket.new("127.0.0.1", server.addr[1]), server.accept] }
KINDS = { unix: -> { UNIXSocket.pair }, tcp: -> { tcp } }
def outcome
  yield
rescue SystemCallError, IOError, SocketError, ArgumentError => error
  [error.class, error.message]
end
def waiting(&)
  begun = false
  thread = Thread.new { begun = true; outcome(&) }
  Thread.pass until begun && thread.status != "run"
  sleep 0.001
  thread
end
def of_each
  KINDS.values.map { |make| make.call.then { |near, far| yield(near, far).tap { [near, far].each(&:close) } } }.uniq
end
GC.disable
before = descriptors
of_each { |near, far| near.write("a"); near.close_write; [far.read, far.write("bc"), near.read(2), near.closed?] } # => [["a", 2, "bc", false]]
of_each { |near, _| near.close_write; [outcome { near.write("x") }, outcome { near.syswrite("x") }, outcome { near.write_nonblock("x") }, near.flush.equal?(near)] } # => [[[IOError, "not opened for writing"], [IOError, "not opened for writing"], [IOError, "not opened for writing"], true]]
of_each { |near, _| near.close_read; [outcome { near.read }, outcome { near.gets }, outcome { near.sysread(1) }, outcome { near.read_nonblock(1) }, outcome { near.eof? }, outcome { near.each_line { } }] } # => [[[IOError, "not opened for reading"], [IOError, "not opened for reading"], [IOError, "not opened for reading"], [EOFError, "end of file reached"], [IOError, "not opened for reading"], [IOError, "not opened for reading"]]]
of_each { |near, far| near.close_read; near.write("still"); near.close_write; [far.read, near.closed?, outcome { near.write("x") }, near.close] } # => [["still", true, [IOError, "closed stream"], nil]]
of_each { |near, far| near.close_write; far.write("still"); far.close_write; [near.read, near.closed?, near.close_read, near.closed?] } # => [["still", false, nil, true]]
of_each { |near, _| [outcome { near.close_write }, outcome { near.close_write }, outcome { near.close_read }, outcome { near.close_read }, outcome { near.close_write }, near.close] } # => [[nil, nil, nil, [IOError, "closed stream"], [IOError, "closed stream"], nil]]
of_each { |near, _| near.close; [outcome { near.close_write }, outcome { near.close_read }, outcome { near.shutdown }] } # => [[[IOError, "closed stream"], [IOError, "closed stream"], [IOError, "closed stream"]]]
of_each { |near, far| near.shutdown(:WR); [far.read, outcome { near.write("x") }, far.write("y"), near.getc, near.closed?] } # => [["", [Errno::EPIPE, "Broken pipe"], 1, "y", false]]
of_each { |near, far| near.shutdown(:RD); [near.read, near.read(1), near.write("z"), far.getc, near.closed?] } # => [["", nil, 1, "z", false]]
of_each { |near, _| [outcome { near.shutdown(:RDWR) }, near.read(1), outcome { near.write("x") }] } # => [[0, nil, [Errno::EPIPE, "Broken pipe"]]]
of_each { |near, _| [outcome { near.shutdown("SHUT_RD") }, outcome { near.shutdown(:NO) }, outcome { near.shutdown(7) }] } # => [[0, [SocketError, "unknown shutdown argument: NO"], [ArgumentError, "`how' should be either :SHUT_RD, :SHUT_WR, :SHUT_RDWR"]]]
# Threads that wait in the other direction.
of_each { |near, far| waiting { near.read(1) }.then { |reader| near.close_write; [far.read, far.write("d"), reader.value] } } # => [["", 1, "d"]]
of_each { |near, far| waiting { far.gets }.then { |reader| near.write("line"); near.close_write; [reader.value, far.write("d"), near.getc] } } # => [["line", 1, "d"]]
of_each { |near, _| waiting { near.read(1) }.then { |reader| near.shutdown(:RD); reader.value } } # => [nil]
of_each { |near, far| near.write("tail"); near.close; [far.read, far.read(1), far.eof?] } # => [["tail", nil, true]]
sent = of_each do |near, far|
  writer = waiting { near.write("x" * 8_000_000) }
  reader = waiting { near.read }
  eater = Thread.new { far.read }
  far.write("answer")
  far.close_write
  near.shutdown(:WR) if writer.join
  [writer.value, reader.value, eater.value.size]
end
sent # => [[8000000, "answer", 8000000]]
# A writer that is stuck when its direction is closed.
tcp.then { |near, far| waiting { near.write("x" * 8_000_000) }.then { |writer| [near.close_write, writer.value, near.close, far.close] } } # => [nil, [Errno::EPIPE, "Broken pipe"], nil, nil]
tcp.then { |near, far| waiting { near.write("x" * 8_000_000) }.then { |writer| [near.shutdown(:WR), writer.value, near.close, far.close] } } # => [0, [Errno::EPIPE, "Broken pipe"], nil, nil]
of_each { |near, far| waiting { near.write("x" * 8_000_000) }.then { |writer| [near.close_read, far.close, writer.value[0].superclass] } } # => [[nil, nil, SystemCallError]]
IO.popen("exec sleep 100", "r+") { |io| waiting { io.write("x" * 100_000) }.then { |writer| [io.close_write, writer.value, Process.kill(:TERM, io.pid)] } } # => [nil, [IOError, "stream closed in another thread"], 1]
# Both write and close their own direction: everything arrives.
both = of_each do |near, far|
  [[near, "n"], [far, "f"]].flat_map { |io, letter|
    [Thread.new { io.write(letter * 3_000_000); io.close_write }, Thread.new { io.read }]
  }.map(&:value).map { it && [it.size, it.squeeze] }
end
both # => [[nil, [3000000, "f"], nil, [3000000, "n"]]]
IO.popen("cat", "r+") { |io| io.write("to cat"); io.close_write; [io.read, outcome { io.write("x") }, outcome { io.close_write }, io.closed?] } # => ["to cat", [IOError, "not opened for writing"], nil, true]
IO.popen("cat", "r+") { |io| io.close_read; [outcome { io.read }, io.write("x"), io.closed?] } # => [[IOError, "not opened for reading"], 1, false]
reader, writer = IO.pipe
[outcome { reader.close_write }, outcome { writer.close_read }, outcome { reader.close_read }, reader.closed?, outcome { reader.close_read }, outcome { writer.close_write }, writer.closed?] # => [[IOError, "closing non-duplex IO for writing"], [IOError, "closing non-duplex IO for reading"], nil, true, nil, nil, true]
File.open(__FILE__) { |file| [outcome { file.close_write }, outcome { file.close_read }, file.closed?] } # => [[IOError, "closing non-duplex IO for writing"], nil, true]
File.open(File::NULL, "r+") { |file| [outcome { file.close_write }, outcome { file.close_read }, file.closed?] } # => [[IOError, "closing non-duplex IO for writing"], [IOError, "closing non-duplex IO for reading"], false]
# A command's IO is closed by closing a half that it does not have.
HALVES = [%i[close_write], %i[close_read], %i[close_write close_write], %i[close_read close_read],
          %i[close_write close_read], %i[close_read close_write]]
answers = %w[r w r+].product(HALVES).map do |mode, halves|
  io = IO.popen("cat", mode, **{ "r" => { in: File::NULL }, "w" => { out: File::NULL } }.fetch(mode, {}))
  each = halves.map { io.public_send(it) }
  [each.uniq, io.closed?].tap { io.close }
end
answers.tally # => {[[nil], true] => 16, [[nil], false] => 2}
descriptors == before # => true

# A wait that an exception, a kill or a Timeout ends runs its ensure clause once; no byte is lost or doubled,
# and the IO goes on working.
# timeout: 60
require "socket"
require "stringio"
require "timeout"
def descriptors = Dir.children("/proc/self/fd").sort
# Each takes from an IO in which "abc" lies and adds to `taken` what it got.
READS = {
  read: ->(io, taken) { taken << io.read(10) },
  read_into: ->(io, taken) { taken << io.read(10, +"") },
  read_all: ->(io, taken) { taken << io.read },
  gets: ->(io, taken) { taken << io.gets },
  gets_separator: ->(io, taken) { taken << io.gets("zz") },
  gets_paragraph: ->(io, taken) { taken << io.gets("") },
  gets_limit: ->(io, taken) { taken << io.gets(20) },
  readline: ->(io, taken) { taken << io.readline(chomp: true) },
  readlines: ->(io, taken) { taken << io.readlines.join },
  each_line: ->(io, taken) { io.each_line { taken << it } },
  each_char: ->(io, taken) { io.each_char { taken << it } },
  each_byte: ->(io, taken) { io.each_byte { taken << it.chr } },
  getc: ->(io, taken) { taken << io.getc while true },
  getbyte: ->(io, taken) { taken << io.getbyte.chr while true },
  readpartial: ->(io, taken) { taken << io.readpartial(2) while true },
  sysread: ->(io, taken) { taken << io.sysread(2) while true },
  eof: ->(io, taken) { taken << io.readpartial(2) until io.eof? },
  wait_readable: ->(io, taken) { taken << io.wait_readable.sysread(2) while true },
  select: ->(io, taken) { taken << IO.select([io])[0][0].sysread(2) while true },
  copy: ->(io, taken) { IO.copy_stream(io, taken) },
  copy_some: ->(io, taken) { IO.copy_stream(io, taken, 10) },
}
# Each writes many "y" to an IO with some room or none.
WRITES = {
  write: ->(io) { io.write("y" * 300_000) },
  print: ->(io) { io.print("y" * 300_000) },
  syswrite: ->(io) { io.syswrite("y" * 1000) while true },
  copy: ->(io) { IO.copy_stream(StringIO.new("y" * 300_000), io) },
  copy_file: ->(io) { IO.copy_stream("/dev/zero", io) },
  wait_writable: ->(io) { io.wait_writable.write_nonblock("y" * 1000) while true },
  select: ->(io) { IO.select(nil, [io])[1][0].write_nonblock("y" * 1000) while true },
}
class Enough < StandardError; end
STOPS = {
  kill: ->(thread) { thread.kill },
  raise: ->(thread) { thread.raise(Enough) },
  timeout: nil,
}
# What a Timeout leaves for the reads before the wait: between a byte that was taken and what the program does with it,
# an exception loses it.
AHEAD = 0.05
# How often the ensure clause ran, once the wait has been ended.
def stopped(stop)
  ensured = 0
  begun = false
  waiting = ->(_ = nil) { begun = true; yield; :not_ended }
  thread = Thread.new do
    Thread.current.report_on_exception = false
    stop ? waiting.call : Timeout.timeout(AHEAD, Enough, &waiting)
  rescue Enough
    :enough
  ensure
    ensured += 1
  end
  if stop
    Thread.pass until begun && thread.status != "run"
    sleep 0.001
    stop.call(thread)
  end
  [thread.value, ensured]
end
ENDED = [[nil, 1], [:enough, 1]]
KINDS = { pipe: -> { IO.pipe }, unix: -> { UNIXSocket.pair },
          tcp: -> {
            TCPServer.open("127.0.0.1", 0) do |server|
              server.setsockopt(:SOCKET, :RCVBUF, 10_000)
              [server, TCPSocket.new("127.0.0.1", server.addr[1])].each { it.setsockopt(:SOCKET, :SNDBUF, 10_000) }
                .then { |_, client| [server.accept, client] }
            end
          } }
GC.disable
before = descriptors
reads = KINDS.keys.product(STOPS.keys, READS.keys).to_h do |names|
  reader, writer = KINDS[names[0]].call
  writer.sync = true
  writer.write("abc")
  taken = StringIO.new
  ended = stopped(STOPS[names[1]]) { READS[names[2]].call(reader, taken) }
  writer.write("def\n")
  writer.close
  got = taken.string + reader.read
  reader.close
  [names, [got, ENDED.include?(ended)]]
end
reads.reject { |_, outcome| outcome == ["abcdef\n", true] } # => {}
writes = KINDS.keys.product(STOPS.keys, WRITES.keys).to_h do |names|
  reader, writer = KINDS[names[0]].call
  writer.sync = true
  ended = stopped(STOPS[names[1]]) { WRITES[names[2]].call(writer) }
  eater = Thread.new { reader.read }
  writer.write("z")
  writer.close
  got = eater.value.delete("\0y")
  reader.close
  [names, [got, ENDED.include?(ended)]]
end
writes.reject { |_, outcome| outcome == ["z", true] } # => {}
descriptors == before # => true

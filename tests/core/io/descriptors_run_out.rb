# Whatever needs a descriptor when there is none, or one too few, raises EMFILE, and none is lost.
# timeout: 60
require "socket"
require "tempfile"
require "pty"
GC.disable
def descriptors = Dir.children("/proc/self/fd").sort
dir = Dir.mktmpdir
file = "#{dir}/file"
File.write(file, "text\n")
io = File.open(file)
other = File.open(file)
server = TCPServer.new("127.0.0.1", 0)
port = server.addr[1]
left, right = UNIXSocket.pair
NEEDS = {
  open: -> { File.open(file) { } }, read: -> { File.read(file) }, foreach: -> { File.foreach(file) { } },
  pipe: -> { IO.pipe { } }, popen: -> { IO.popen("true", &:read) }, popen_both: -> { IO.popen("cat", "r+") { } },
  popen_fork: -> { IO.popen("-", "r+") { |child| child ? child.read : exit!(0) } }, backtick: -> { `true` },
  spawn: -> { Process.wait(spawn("true")) }, spawn_out: -> { Process.wait(spawn("true", out: IO::NULL, in: io)) },
  system: -> { system("true", exception: true) }, dup: -> { io.dup.close }, clone: -> { io.clone.close },
  dir: -> { Dir.open(dir) { } }, children: -> { Dir.children(dir) }, empty: -> { Dir.empty?(dir) },
  glob: -> { Dir.glob("#{dir}/*") }, copy: -> { IO.copy_stream(file, IO::NULL) },
  tcp: -> { TCPSocket.new("127.0.0.1", port).close }, tcp_server: -> { TCPServer.new("127.0.0.1", 0).close },
  udp: -> { UDPSocket.new.close }, unix: -> { UNIXServer.new("#{dir}/s").close },
  pair: -> { UNIXSocket.pair.each(&:close) }, socket: -> { Socket.new(:INET, :STREAM).close },
  connect: -> { Addrinfo.tcp("127.0.0.1", port).connect { } }, accept: -> { server.accept.close },
  accept_nonblock: -> { server.accept_nonblock.close }, recv_io: -> { left.send_io(io); right.recv_io.close },
  reopen: -> { other.reopen(file) }, reopen_io: -> { other.reopen(io) }, tempfile: -> { Tempfile.create { } },
  dir_of_fd: -> { Dir.for_fd(IO.sysopen(dir)).close },
}
soft, hard = Process.getrlimit(:NOFILE)
outcomes = [0, 1, 2, 6].map do |room|
  NEEDS.to_h do |name, need|
    waiting = TCPSocket.new("127.0.0.1", port) if name.start_with?("accept")
    before = descriptors
    Process.setrlimit(:NOFILE, before.size + 12, hard)
    held = []
    begin
      loop { held << IO.sysopen(IO::NULL) }
    rescue Errno::EMFILE
    end
    held.pop(room).each { IO.for_fd(it).close }
    outcome = begin
      need.call
      :fine
    rescue SystemCallError, SocketError => error
      error.class
    end
    held.each { IO.for_fd(it).close }
    Process.setrlimit(:NOFILE, soft, hard)
    lost = descriptors - before
    File.delete("#{dir}/s") if File.exist?("#{dir}/s")
    while (client = server.accept_nonblock(exception: false)) != :wait_readable
      client.close
    end
    waiting&.close
    right.read_nonblock(10, exception: false)
    [name, lost.empty? ? outcome : [outcome, lost]]
  end
end
outcomes.map { |all| all.values.select { it.is_a?(Array) } } # => [[], [], [], []]
outcomes[0].reject { |_, outcome| outcome == Errno::EMFILE } # => {recv_io: SocketError, reopen_io: :fine}
outcomes[1].select { |_, outcome| outcome == :fine }.keys.size >= 18 # => true
outcomes[3].reject { |_, outcome| outcome == :fine } # => {}

# The messages tell what could not be started.
Process.setrlimit(:NOFILE, 3, hard)
`true` # raises Errno::EMFILE: Too many open files - true
spawn("true", out: IO::NULL) # raises Errno::EMFILE: Too many open files - true
IO.popen(["true"]) # raises Errno::EMFILE: Too many open files - true
system("true") # => nil
system("true", exception: true) # raises Errno::EMFILE: Too many open files - true
Dir.empty?("/") # raises Errno::EMFILE: Too many open files @ rb_dir_s_empty_p - /
Dir.glob("/*") # raises Errno::EMFILE: Too many open files - /
Dir.glob("*", base: "/") # raises Errno::EMFILE: Too many open files - /
$stdin.fcntl(0, 0) # raises Errno::EMFILE: Too many open files @ finish_narg - <STDIN>
PTY.open # raises RuntimeError: can't get Master/Slave device
Process.setrlimit(:NOFILE, soft, hard)
[io, other, server, left, right].each(&:close)
File.delete(file)
Dir.rmdir(dir)

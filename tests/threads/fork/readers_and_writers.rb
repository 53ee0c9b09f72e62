# A child forked while other threads read, write, wait for locks of files, resolve names or run commands can do all of
# that itself.
# timeout: 60
require "socket"
require "tempfile"
def child
  reader, writer = IO.pipe
  pid = fork do
    writer.write(Marshal.dump(yield))
    writer.close
    exit!(0)
  end
  writer.close
  answer = Marshal.load(reader.read)
  reader.close
  Process.wait(pid)
  answer
end
def children(&) = Array.new(20) { child(&) }.uniq
def beside(*works)
  stop = false
  threads = works.map { |work| Thread.new { work.call until stop } }
  answer = yield
  stop = true
  threads.each(&:join)
  answer
end

# What another thread is about to write is the parent's alone: the child's own bytes go out, and no other ones twice.
reader, writer = IO.pipe
stuck = Array.new(3) { |i| Thread.new { writer.write(i.to_s * 100_000) } }
Thread.pass until stuck.all?(&:stop?)
children { [(writer.write_nonblock("y") rescue $!.class), writer.close, writer.closed?] } # => [[IO::EAGAINWaitWritable, nil, true]]
pid = fork { exit(3) }
eater = Thread.new { reader.read }
Process.wait2(pid)[1].exitstatus # => 3
stuck.each(&:join)
writer.close
%w[0 1 2 x y].map { eater.value.count(it) } # => [100000, 100000, 100000, 0, 0]
reader.close

# The same of a file, whose buffer the child gets when nobody writes it out.
file = Tempfile.new
statuses = beside(*[-> { file.write("parent\n"); file.flush }] * 3) do
  Array.new(20) { Process.wait2(fork { file.write("child\n"); file.flush; exit!(4) })[1].exitstatus }
end
statuses.uniq # => [4]
file.flush
written = File.readlines(file.path).tally
[written["child\n"], written.keys.sort] # => [20, ["child\n", "parent\n"]]
file.truncate(0)
file.rewind
file.write("kept ")
Process.wait(fork { file.write("child ") })
file.write("parent")
file.close
File.read(file.path) # => "kept child kept parent"

reader, writer = IO.pipe
readers = Array.new(2) { Thread.new { nil while reader.gets } }
answers = beside(*[-> { writer.puts("line") }] * 2) do
  children { writer.puts("mine"); [reader.gets.class, reader.readpartial(1).size] }
end
answers # => [[String, 1]]
writer.close
readers.each(&:join).size # => 2
reader.close
left, right = UNIXSocket.pair
waiting = [Thread.new { left.recv(1) }, Thread.new { left.wait_readable }, Thread.new { IO.select([left]) },
           Thread.new { left.read(1) }]
Thread.pass until waiting.all?(&:stop?)
child { [IO.select([left], nil, nil, 0), left.read_nonblock(1, exception: false), left.close, right.close, UNIXSocket.pair.then { |a, b| a.write("z"); b.getc }] } # => [nil, :wait_readable, nil, nil, "z"]
right.write("abcd")
waiting.each(&:join).size # => 4
[left, right].each(&:close)

lock = File.open(file.path)
lock.flock(File::LOCK_EX)
waiting = Array.new(3) { Thread.new { File.open(file.path) { it.flock(File::LOCK_EX) } } }
Thread.pass until waiting.all?(&:stop?)
child { [File.open(file.path) { it.flock(File::LOCK_EX | File::LOCK_NB) }, lock.close] } # => [false, nil]
lock.flock(File::LOCK_UN)
waiting.map(&:value) # => [0, 0, 0]
lock.close
file.unlink

beside(*[-> { Addrinfo.getaddrinfo("localhost", 80) }] * 3) { children { Addrinfo.getaddrinfo("localhost", 80).map(&:ip_port).uniq } } # => [[80]]
works = [-> { IO.popen("echo a", &:read) }, -> { `echo b` }, -> { system("exit 2") }]
answers = beside(*works) do
  children { [IO.popen("echo c", &:read), `echo d`, system("exit 3"), $?.exitstatus, (Process.wait rescue $!.class)] }
end
answers # => [["c\n", "d\n", false, 3, Errno::ECHILD]]

server = TCPServer.new("127.0.0.1", 0)
acceptors = Array.new(3) { Thread.new { server.accept } }
Thread.pass until acceptors.all?(&:stop?)
pid = fork do
  own = TCPServer.new("127.0.0.1", 0)
  answer = Thread.new { own.accept.puts("child") }
  text = TCPSocket.open("127.0.0.1", own.addr[1], &:gets)
  answer.join
  server.close
  exit!(text == "child\n" ? 5 : 6)
end
Process.wait2(pid)[1].exitstatus # => 5
clients = Array.new(3) { TCPSocket.new("127.0.0.1", server.addr[1]) }
acceptors.map { it.value.class }.uniq # => [TCPSocket]

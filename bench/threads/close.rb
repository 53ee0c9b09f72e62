# What IO#close costs beside blocked readers that each wait on a descriptor of their own. One datagram socket a reader,
# so that ten thousand of them fit into a limit of 20,000 open files (a pipe needs two).
# Usage: close.rb [READERS, default 1000,10000] [PIPES, default 50000]
require "socket"

READERS = (ARGV[0] || "1000,10000").split(",").map(&:to_i)
PIPES = (ARGV[1] || 50_000).to_i

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def closes
  start = now
  PIPES.times { IO.pipe.each(&:close) }
  (now - start) * 1e6 / (2 * PIPES)
end

_, hard = Process.getrlimit(Process::RLIMIT_NOFILE)
Process.setrlimit(Process::RLIMIT_NOFILE, hard)
closes # warm
READERS.each do |count|
  alone = closes
  sockets = Array.new(count) { UDPSocket.new.tap { |socket| socket.bind("127.0.0.1", 0) } }
  before = now
  ended = Thread::Queue.new
  readers = sockets.map do |socket|
    Thread.new do
      socket.recv(1)
    rescue IOError => e
      ended << e.message
    end
  end
  sleep 0.05 until readers.all?(&:stop?)
  made = now - before
  beside = closes
  before = now
  sockets.each(&:close)
  readers.each(&:join)
  gone = now - before
  again = closes
  messages = Array.new(ended.size) { ended.pop }.tally
  puts format("%6d readers: %.2f us a close alone, %.2f beside them (%.2fx of the mean of before and after), made in " \
              "%.2f s, all closed in %.2f s, %p",
              count, alone, beside, beside / ((alone + again) / 2), made, gone, messages)
end

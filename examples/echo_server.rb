# A line-by-line echo server with a thread for each client, and a client that talks to it.
require "socket"

server = TCPServer.new("127.0.0.1", 0)
port = server.addr[1]

accepting = Thread.new do
  loop do
    client = server.accept
    Thread.new do
      while (line = client.gets)
        client.puts line.upcase
      end
      client.close
    end
  end
rescue IOError
  puts "server closed"
end

clients = Array.new(3) do |number|
  Thread.new do
    TCPSocket.open("127.0.0.1", port) do |socket|
      socket.puts "hello from client #{number}"
      socket.gets
    end
  end
end

puts clients.map(&:value).sort
server.close
accepting.join

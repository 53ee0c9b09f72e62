# What a server over TLS does, alone and beside a thread that computes: MB/s of one connection that it writes to, and
# full handshakes per second of 1, 2 and 4 threads that accept (TLS 1.3, a key on P-256, no session is taken up again).
# Clients are processes of their own, four at a time. Usage: tls.rb [SECONDS for each figure, default 3]
require "openssl"
require "socket"

SECONDS = (ARGV[0] || 3).to_f
CLIENTS = 4
BLOCK = 16 * 1024

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

KEY = OpenSSL::PKey::EC.generate("prime256v1")
CERTIFICATE = OpenSSL::X509::Certificate.new.tap do |certificate|
  certificate.version = 2
  certificate.serial = 1
  certificate.subject = certificate.issuer = OpenSSL::X509::Name.parse("/CN=localhost")
  certificate.public_key = KEY
  certificate.not_before = Time.now - 60
  certificate.not_after = Time.now + 3600
  certificate.sign(KEY, "SHA256")
end

def server_context
  OpenSSL::SSL::SSLContext.new.tap do |context|
    context.add_certificate(CERTIFICATE, KEY)
    context.min_version = OpenSSL::SSL::TLS1_3_VERSION
    context.session_cache_mode = OpenSSL::SSL::SSLContext::SESSION_CACHE_OFF
    context.num_tickets = 0 if context.respond_to?(:num_tickets=)
  end
end

# Accepts one client after the other and hands each to the block, until the time is up; how many there were.
def serve(listener, context, stop)
  count = 0
  until now > stop
    client, = listener.accept_nonblock(exception: false)
    next listener.wait_readable(0.05) unless client.is_a?(Socket) || client.is_a?(TCPSocket)
    begin
      client.setsockopt(:TCP, :NODELAY, true)
      tls = OpenSSL::SSL::SSLSocket.new(client, context)
      tls.sync_close = true
      tls.accept
      yield tls
      count += 1
    rescue OpenSSL::SSL::SSLError, SystemCallError
      nil
    ensure
      tls&.close
    end
  end
  count
end

# A process for each client; it is killed when the block is left.
def with_clients(number, port)
  pids = Array.new(number) do
    fork do
      $stderr.reopen(File::NULL)
      context = OpenSSL::SSL::SSLContext.new
      buffer = +""
      loop do
        tls = OpenSSL::SSL::SSLSocket.new(TCPSocket.new("127.0.0.1", port), context)
        tls.sync_close = true
        tls.connect
        nil while tls.read(BLOCK, buffer)
      rescue OpenSSL::SSL::SSLError, SystemCallError, IOError
        nil
      ensure
        tls&.close
      end
    end
  end
  yield
ensure
  pids.each { |pid| Process.kill(:KILL, pid) }
  pids.each { |pid| Process.wait(pid) }
end

# What a block gives with so many threads that compute beside it.
def beside(number)
  busy = Array.new(number) { Thread.new { i = 0; i += 1 while true } }
  yield
ensure
  busy.each(&:kill).each(&:join)
end

def megabytes(busy)
  listener = TCPServer.new("127.0.0.1", 0)
  data = Random.bytes(BLOCK)
  with_clients(1, listener.addr[1]) do
    beside(busy) do
      written = 0
      start = now
      stop = start + SECONDS
      serve(listener, server_context, stop) { |tls| written += tls.write(data) until now > stop }
      written / 1e6 / (now - start)
    end
  end
ensure
  listener&.close
end

def handshakes(threads, busy)
  listener = TCPServer.new("127.0.0.1", 0)
  with_clients(CLIENTS, listener.addr[1]) do
    beside(busy) do
      start = now
      context = server_context
      counts = Array.new(threads) { Thread.new { serve(listener, context, start + SECONDS) { |tls| tls } } }
      counts.sum(&:value) / (now - start)
    end
  end
ensure
  listener&.close
end

rows = { "one connection, MB/s" => ->(busy) { megabytes(busy) } }
[1, 2, 4].each { |threads| rows["handshakes/s, #{threads} threads"] = ->(busy) { handshakes(threads, busy) } }
puts format("%-26s %9s %9s %9s", "", "alone", "beside 1", "kept")
rows.each do |name, figure|
  alone, beside_one = figure.(0), figure.(1)
  puts format("%-26s %9.1f %9.1f %8.0f%%", name, alone, beside_one, 100 * beside_one / alone)
end

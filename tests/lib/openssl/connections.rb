# needs: 4.0
require_relative "fixtures/authority"
require "timeout"
include OpenSSL
authority = Authority.new
www = authority.issue("www.example.org")
shop = authority.issue("shop.example.org")

# Names, protocols and what a connection tells.
asked = Queue.new
context = SSL::SSLContext.new
context.servername_cb = lambda do |(_, name)|
  asked << name
  name.start_with?("shop") ? SSL::SSLContext.new.tap { it.cert, it.key = shop } : nil
end
context.alpn_select_cb = ->(offered) { offered.find { it == "h2" } }
server = Served.new(www, context) do |ssl|
  while (line = ssl.gets)
    ssl.write("echo #{line}")
  end
end
client = SSL::SSLContext.new
client.set_params(cert_store: authority.store)
client.alpn_protocols = %w[http/1.1 h2]
secrets = Queue.new
client.keylog_cb = ->(_, line) { secrets << line[/\A\w+/] }
ssl = server.connect(client, "www.example.org").connect
asked.pop # => "www.example.org"
ssl.puts "hello", "world"
[ssl.gets, ssl.gets] # => ["echo hello\n", "echo world\n"]
ssl.alpn_protocol # => "h2"
ssl.ssl_version # => "TLSv1.3"
ssl.cipher.size # => 4
ssl.verify_result # => 0
ssl.peer_cert.subject # => #<OpenSSL::X509::Name CN=www.example.org,O=Test,C=CH>
ssl.peer_cert_chain.size # => 1
ssl.post_connection_check("www.example.org") # => true
ssl.post_connection_check("other.example.org") # raises OpenSSL::SSL::SSLError: hostname "other.example.org" does not match the server certificate
[ssl.state.class, ssl.pending, ssl.hostname] # => [String, 0, "www.example.org"]
[ssl.finished_message, ssl.peer_finished_message].map { it.bytesize.positive? } # => [true, true]
secrets.empty? # => false
ssl.client_ca # => nil
ssl.read_nonblock(10, exception: false) # => :wait_readable
ssl.read_nonblock(10) # raises OpenSSL::SSL::SSLErrorWaitReadable: read would block
ssl.write_nonblock("x\n") # => 2
ssl.wait_readable.equal?(ssl) # => false
ssl.readpartial(100) # => "echo x\n"
ssl.close
ssl.closed? # => true
ssl.read(1) # raises Errno::EBADF: Bad file descriptor - SSL_read
ssl = server.connect(client, "shop.example.org").connect
ssl.peer_cert.subject.to_a.last[1] # => "shop.example.org"
ssl.close

# What has been deciphered can be read when the socket below is closed.
ssl = server.connect(client, "www.example.org").connect
ssl.write("ab\n")
ssl.sysread(1) # => "e"
ssl.to_io.close
ssl.sysread(7) # => "cho ab\n"
ssl.sysread(1) # raises Errno::EBADF: Bad file descriptor - SSL_read
ssl.read_nonblock(1, exception: false) # raises Errno::EBADF: Bad file descriptor - SSL_read
ssl.write("c") # raises IOError: closed stream
ssl.close

# Certificates that do not fit.
refused = lambda do |certificate, name = "www.example.org", store = authority.store|
  own = Served.new(certificate) { it.gets }
  context = SSL::SSLContext.new
  context.set_params(cert_store: store)
  own.connect(context, name).connect.close
  :accepted
rescue SSL::SSLError => error
  error.message[/certificate verify failed.*/]
ensure
  own.stop
end
refused.(www) # => :accepted
refused.(www, "other.example.org") # => "certificate verify failed (hostname mismatch)"
refused.(authority.issue("www.example.org", from: -3600, to: -60)) # => "certificate verify failed (certificate has expired)"
refused.(Authority.new("Strange").issue("www.example.org")) # => "certificate verify failed (unable to get local issuer certificate)"
itself = Authority.new("Alone")
refused.([itself.certificate, itself.key]) # => "certificate verify failed (self-signed certificate)"
judged = []
lenient = SSL::SSLContext.new
lenient.set_params(cert_store: X509::Store.new, verify_hostname: false)
lenient.verify_callback = ->(ok, context) { judged << [ok, context.error_string]; true }
server.connect(lenient).connect.close
judged.first # => [false, "unable to get local issuer certificate"]
lenient.verify_callback = nil # raises FrozenError
lenient.frozen? # => true

# Client certificates.
strict = SSL::SSLContext.new
strict.verify_mode = SSL::VERIFY_PEER | SSL::VERIFY_FAIL_IF_NO_PEER_CERT
strict.cert_store = authority.store
strict.client_ca = [authority.certificate]
closed = Served.new(www, strict) { |ssl| ssl.puts ssl.peer_cert.subject.to_s }
known = SSL::SSLContext.new
known.cert, known.key = authority.issue("ada")
ssl = closed.connect(known).connect
ssl.gets # => "/C=CH/O=Test/CN=ada\n"
ssl.close
ssl = closed.connect.connect
ssl.gets # raises OpenSSL::SSL::SSLError
closed.faults.pop.message[/peer did not return a certificate/] # => "peer did not return a certificate"
closed.stop

# A session taken up again, with TLS 1.2 and 1.3.
resumed = [SSL::TLS1_2_VERSION, SSL::TLS1_3_VERSION].map do |version|
  context = SSL::SSLContext.new
  context.min_version = context.max_version = version
  context.session_cache_mode = SSL::SSLContext::SESSION_CACHE_CLIENT
  sessions = []
  context.session_new_cb = ->((_, session)) { sessions << session }
  first = server.connect(context).connect
  first.puts "a"
  first.gets
  first.close
  again = server.connect(context)
  again.session = sessions.last
  again.connect
  again.puts "b"
  [again.gets, again.session_reused?, again.ssl_version].tap { again.close }
end
resumed # => [["echo b\n", true, "TLSv1.2"], ["echo b\n", true, "TLSv1.3"]]
narrow = SSL::SSLContext.new
narrow.max_version = :TLS1_2
narrow.ciphers = "ECDHE-ECDSA-AES128-GCM-SHA256"
ssl = server.connect(narrow).connect
ssl.cipher.first # => "ECDHE-ECDSA-AES128-GCM-SHA256"
ssl.close
narrow = SSL::SSLContext.new
narrow.ciphersuites = "TLS_CHACHA20_POLY1305_SHA256"
narrow.ecdh_curves = "X25519"
ssl = server.connect(narrow).connect
[ssl.cipher.first, ssl.tmp_key&.oid] # => ["TLS_CHACHA20_POLY1305_SHA256", "X25519"]
ssl.close

# The end of a connection, orderly and not.
ssl = server.connect.connect
ssl.write("last\n")
ssl.gets # => "echo last\n"
ssl.close
rude = Served.new(www) { |ssl| ssl.write("part"); ssl.to_io.close }
ssl = rude.connect.connect
ssl.readpartial(10) # => "part"
ssl.read # raises OpenSSL::SSL::SSLError: SSL_read: unexpected eof while reading
ssl.close
rude.stop
polite = Served.new(www) { |ssl| ssl.write("whole") }
ssl = polite.connect.connect
ssl.read # => "whole"
ssl.eof? # => true
ssl.close
polite.stop
plain = TCPServer.new("127.0.0.1", 0)
answer = Thread.new { plain.accept.tap { it.write("HTTP/1.1 400 Bad Request\r\n\r\n") } }
SSL::SSLSocket.new(TCPSocket.new("127.0.0.1", plain.addr[1])).connect # raises OpenSSL::SSL::SSLError
answer.value.close

# What ends a thread in a handshake and in a read.
silent = TCPServer.new("127.0.0.1", 0)
Timeout.timeout(0.1) { SSL::SSLSocket.new(TCPSocket.new("127.0.0.1", silent.addr[1])).connect } # raises Timeout::Error: execution expired
ssl = server.connect.connect
reader = Thread.new { ssl.gets }
Thread.pass until reader.status == "sleep"
reader.kill.join(5).equal?(reader) # => true
Timeout.timeout(0.1) { ssl.gets } # raises Timeout::Error: execution expired
ssl.close
SSL::SSLSocket.new(TCPSocket.new("127.0.0.1", silent.addr[1])).connect_nonblock(exception: false) # => :wait_readable
SSL::SSLSocket.new(TCPSocket.new("127.0.0.1", silent.addr[1])).connect_nonblock # raises OpenSSL::SSL::SSLErrorWaitReadable: read would block
ssl = server.connect.connect
ssl.timeout = 0.05
ssl.gets # raises IO::TimeoutError
ssl.close

# Many at once, and a large body both ways.
body = Random.new(1).bytes(1_000_000)
mirror = Served.new(www) { |ssl| ssl.write(ssl.read(body.bytesize)) }
Array.new(4) { Thread.new { mirror.connect.connect.then { |ssl| ssl.write(body); ssl.read == body } } }.map(&:value) # => [true, true, true, true]
mirror.stop
server.stop
SSL::SSLSocket.new(1) # raises TypeError
SSL::SSLSocket.new(TCPSocket.new("127.0.0.1", silent.addr[1])).read(1) # raises OpenSSL::SSL::SSLError: SSL session is not started yet
SSL::SSLContext.new.ciphers = "none such" # raises OpenSSL::SSL::SSLError
SSL::SSLContext.new.min_version = :SSL9 # raises ArgumentError
SSL::SSLContext.new.tap(&:freeze).ciphers = "ALL" # raises FrozenError

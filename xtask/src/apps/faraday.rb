apps_require "faraday", "webrick"
require "json"

server = WEBrick::HTTPServer.new(Port: 0, BindAddress: "127.0.0.1", Logger: WEBrick::Log.new(nil, 0), AccessLog: [])
server.mount_proc("/echo") do |request, response|
  response.body = JSON.generate([request.request_method, request.query_string, request.body, request["X-Token"]])
end
server.mount_proc("/moved") { |_, response| response.set_redirect(WEBrick::HTTPStatus::Found, "/echo") }
server.mount_proc("/bad") { |_, response| response.status = 500 }
thread = Thread.new { server.start }
port = server.config[:Port]
connection = Faraday.new(url: "http://127.0.0.1:#{port}", headers: { "X-Token" => "t" }) do |builder|
  builder.request :url_encoded
  builder.response :raise_error
  builder.adapter :net_http
end
puts connection.get("/echo", a: [1, 2], b: "ü").body
puts connection.post("/echo", { x: 1, y: { z: 2 } }).body
puts connection.put("/echo") { |request| request.body = "raw" }.body
p connection.get("/moved").status
begin
  connection.get("/bad")
rescue Faraday::Error => error
  puts error.class, error.message
end
begin
  Faraday.get("http://127.0.0.1:1/")
rescue Faraday::ConnectionFailed => error
  puts error.class
end
50.times { connection.get("/echo", a: 1) }
server.shutdown
thread.join

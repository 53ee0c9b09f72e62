apps_require "httparty", "webrick"
require "json"

server = WEBrick::HTTPServer.new(Port: 0, BindAddress: "127.0.0.1", Logger: WEBrick::Log.new(nil, 0), AccessLog: [])
server.mount_proc("/json") do |request, response|
  response.content_type = "application/json"
  response.body = JSON.generate("q" => request.query, "m" => request.request_method)
end
server.mount_proc("/moved") { |_, response| response.set_redirect(WEBrick::HTTPStatus::MovedPermanently, "/json?a=9") }
thread = Thread.new { server.start }
class Client
  include HTTParty
  format :json
end
Client.base_uri "http://127.0.0.1:#{server.config[:Port]}"
response = Client.get("/json", query: { a: 1, b: "x y" })
puts response.code, response.parsed_response.to_json, response["q"].to_json
puts Client.post("/json", body: { c: [1, 2] },
                 headers: { "Content-Type" => "application/x-www-form-urlencoded" }).parsed_response.to_json
puts Client.get("/moved").parsed_response.to_json
server.shutdown
thread.join

apps_require "rack", "rack/test", "rack/attack", "rack/cors", "webrick", "net/http"

app = Rack::Builder.new do
  use Rack::ContentLength
  use Rack::ETag
  use Rack::Deflater
  use Rack::Session::Cookie, secret: "s" * 64
  map("/count") do
    run ->(env) {
      n = env["rack.session"]["n"] = env["rack.session"]["n"].to_i + 1
      [200, { "Content-Type" => "text/plain" }, ["n=#{n}"]]
    }
  end
  map("/params") { run ->(env) { [200, {}, [Rack::Request.new(env).params.to_a.inspect]] } }
  run ->(env) { [404, { "Content-Type" => "text/plain" }, ["none: #{env["PATH_INFO"]}"]] }
end.to_app
include Rack::Test::Methods
define_singleton_method(:app) { app }
2.times { get "/count" }
p last_response.status, last_response.body, last_response.headers["ETag"]
post "/params", "a" => { "b" => ["1", "2"] }, "c" => "d e"
puts last_response.body
p get("/other").status, Rack::Utils.parse_nested_query("a[][b]=1&a[][b]=2"), Rack::Mime.mime_type(".svg"),
  Rack::Utils.escape_html("<&>")
server = WEBrick::HTTPServer.new(Port: 0, BindAddress: "127.0.0.1", Logger: WEBrick::Log.new(File::NULL), AccessLog: [])
server.mount_proc("/hello") do |request, response|
  response.body = "hello #{request.query["name"]}"
  response["X-Method"] = request.request_method
end
thread = Thread.new { server.start }
port = server.listeners.first.addr[1]
Net::HTTP.start("127.0.0.1", port) do |http|
  response = http.get("/hello?name=ada")
  p response.code, response.body, response["x-method"], http.get("/none").code
  p http.post("/hello", "name=bob", "Content-Type" => "application/x-www-form-urlencoded").body
end
server.shutdown
thread.join

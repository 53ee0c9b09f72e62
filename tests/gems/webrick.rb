# gems: webrick
require "webrick"
require "net/http"
server = WEBrick::HTTPServer.new(Port: 0, BindAddress: "127.0.0.1", Logger: WEBrick::Log.new(File::NULL), AccessLog: [])
server.mount_proc("/hello") { |req, res| res["Content-Type"] = "text/plain"; res.body = "hello #{req.query["n"]}" }
server.mount_proc("/post") { |req, res| res.status = 201; res.body = req.body.reverse }
class Doubler < WEBrick::HTTPServlet::AbstractServlet
  def do_GET(req, res)
    res.body = (req.path_info[1..].to_i * 2).to_s
  end
end
server.mount("/double", Doubler)
port = server.listeners[0].addr[1]
thread = Thread.new { server.start }
http = Net::HTTP.start("127.0.0.1", port)
puts http.get("/hello?n=5").body, http.post("/post", "abc").then { |r| [r.code, r.body] }
puts http.get("/double/21").body, http.get("/none").code
puts http.head("/hello").then { |r| [r.code, r.body.inspect, r["content-length"]] }
http.finish
answers = 8.times.map { |i| Thread.new { Net::HTTP.get(URI("http://127.0.0.1:#{port}/double/#{i}")) } }.map(&:value)
puts answers.join(",")
server.shutdown
puts thread.join(10) ? "stopped" : "runs"
# prints: hello 5
# prints: 201
# prints: cba
# prints: 42
# prints: 404
# prints: 200
# prints: nil
# prints: 6
# prints: 0,2,4,6,8,10,12,14
# prints: stopped

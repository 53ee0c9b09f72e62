apps_require "rackup", "rack", "rack/session", "webrick", "net/http"

app = Rack::Builder.new do
  use Rack::Session::Cookie, secret: "x" * 64
  use Rack::ETag
  use Rack::ConditionalGet
  use Rack::Deflater
  use Rack::ContentLength
  map("/s") do
    run ->(e) {
      s = e["rack.session"]
      s["n"] = (s["n"] || 0) + 1
      [200, { "content-type" => "text/plain" }, [s["n"].to_s]]
    }
  end
  map("/up") do
    run ->(e) {
      r = Rack::Request.new(e)
      f = r.params["f"]
      [200, { "content-type" => "text/plain" }, [f[:filename], f[:tempfile].read.upcase, r.params["k"].to_s]]
    }
  end
  map("/f") { run Rack::Files.new(".") }
  run ->(e) { [200, { "content-type" => "text/plain" }, ["hi " * 300]] }
end.to_app
q = Queue.new
th = Thread.new do
  Rackup::Handler::WEBrick.run(app, Host: "127.0.0.1", Port: 0, Logger: WEBrick::Log.new(File::NULL),
                               AccessLog: []) do |s|
    q << s
  end
end
s = q.pop; port = s.config[:Port]
Net::HTTP.start("127.0.0.1", port) do |h|
  r = h.get("/s"); p r.body; ck = r["set-cookie"][/\A[^;]+/]
  p h.get("/s", "Cookie" => ck).body
  r = h.get("/"); p r.body.size, r["content-encoding"], r["etag"]
  p h.get("/", "If-None-Match" => r["etag"]).code
  rq = Net::HTTP::Post.new("/up")
  File.write("u.txt", "data ü")
  rq.set_form([["f", File.open("u.txt")], ["k", "v"]], "multipart/form-data")
  p h.request(rq).body.b
  p h.get("/f/u.txt").body.b, h.get("/f/none").code, h.get("/f/u.txt", "Range" => "bytes=1-2").body,
    h.head("/f/u.txt")["content-length"]
end
s.shutdown; th.join

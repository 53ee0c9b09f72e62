apps_require "httpclient", "excon", "restclient", "net/http/persistent", "webrick"

require "json"
require "zlib"
server = WEBrick::HTTPServer.new(Port: 0, BindAddress: "127.0.0.1", Logger: WEBrick::Log.new(File::NULL), AccessLog: [])
port = server.config[:Port]
server.mount_proc("/") do |q, r|
  r.status = q.path == "/404" ? 404 : 200
  r.content_type = "text/html; charset=utf-8"
  r.body = "#{q.request_method} #{q.path} #{q.query.sort.inspect}"
end
server.mount_proc("/redir") { |q, r| r.set_redirect(WEBrick::HTTPStatus::Found, "/to?x=1") }
server.mount_proc("/json") do |q, r|
  r.content_type = "application/json"
  r.body = JSON.generate(m: q.request_method, b: q.body, h: q["x-a"])
end
server.mount_proc("/slow") { |q, r| sleep 1; r.body = "slow" }
server.mount_proc("/gz") { |q, r| r["content-encoding"] = "gzip"; r.body = Zlib.gzip("zipped" * 100) }
th = Thread.new { server.start }
u = "http://127.0.0.1:#{port}"
c = HTTPClient.new
told do
  p c.get("#{u}/a", { x: 1 }).body.size, c.post("#{u}/json", "abc", "X-A" => "1").body,
    c.get("#{u}/redir", follow_redirect: true).body
end
c.receive_timeout = 0.2
told { c.get("#{u}/slow") }
told { p c.get_async("#{u}/a").pop.content.read }
x = Excon.new(u, persistent: true)
told do
  p x.get(path: "/a", query: { q: "1 2" }).body,
    x.request(method: :put, path: "/json", body: "b", headers: { "X-A" => "2" }).body
end
told { begin x.get(path: "/404", expects: [200]); rescue => e; p e.class; end }
begin; Excon.get("http://127.0.0.1:1/"); rescue => e; p e.class, e.message; end
told { p x.get(path: "/gz", middlewares: Excon.defaults[:middlewares] + [Excon::Middleware::Decompress]).body.size }
told do
  p RestClient.get("#{u}/a", params: { a: [1, 2] }).body, RestClient.post("#{u}/json", { a: 1, b: { c: 2 } }).body
end
begin; RestClient.get("#{u}/404"); rescue => e; p e.class, e.message; end
begin; RestClient::Request.execute(method: :get, url: "#{u}/slow", timeout: 0.2); rescue => e; p e.class; end
File.write("f.txt", "file")
told { puts RestClient.post("#{u}/json", file: File.new("f.txt")).body.gsub(/-{4,}[\w-]+/, "B") }
n = Net::HTTP::Persistent.new(name: "x")
3.times { |i| p n.request(URI("#{u}/a#{i}")).code }
n.shutdown
server.shutdown; th.join

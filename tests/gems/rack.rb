# gems: rack
require "rack"
require "rack/mock"
app = Rack::Builder.new do
  use Rack::ContentLength
  use Rack::Head
  use Rack::ETag
  map("/hello") do
    run ->(env) { [200, { "Content-Type" => "text/plain" }, ["hello #{Rack::Request.new(env).params["name"]}"]] }
  end
  map("/form") do
    run ->(env) {
      [201, { "Content-Type" => "text/plain" }, [Rack::Request.new(env).POST.inspect.delete(" ").gsub("=>", ":")]]
    }
  end
  map("/session") do
    use Rack::Session::Cookie, secret: "s" * 64
    run ->(env) {
      env["rack.session"]["n"] = env["rack.session"]["n"].to_i + 1
      [200, {}, [env["rack.session"]["n"].to_s]]
    }
  end
end.to_app
request = Rack::MockRequest.new(app)
r = request.get("/hello?name=w%C3%B6rld")
puts r.status, r.body, r["Content-Length"], r["ETag"]
r = request.head("/hello")
puts r.status, r.body.inspect
r = request.post("/form", params: { "a" => { "b" => ["1", "2"] }, "c" => "x y" })
puts r.status, r.body
boundary = "AaB03x"
body =
  "--#{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f.txt\"\r\nContent-Type: text/plain\r\n" \
  "\r\ncontent\r\n--#{boundary}--\r\n"
env = Rack::MockRequest.env_for("/", method: "POST", input: body,
                                "CONTENT_TYPE" => "multipart/form-data; boundary=#{boundary}",
                                "CONTENT_LENGTH" => body.bytesize.to_s)
file = Rack::Request.new(env).params["file"]
puts file[:filename], file[:tempfile].read, file[:type]
puts request.get("/nowhere").status
first = request.get("/session")
cookie = first["Set-Cookie"][/\A[^;]+/]
puts first.body, request.get("/session", "HTTP_COOKIE" => cookie).body
puts Rack::Utils.escape_html("<a href='x'>&</a>"), Rack::Utils.build_nested_query("a" => [1, 2], "b" => { "c" => "d" })
puts Rack::Utils.parse_nested_query("x[y][]=1&x[y][]=2&z=%20").inspect.delete(" ").gsub("=>", ":")
puts Rack::Mime.mime_type(".json"), Rack::Utils.status_code(:not_found)
puts Rack::Lint.new(->(_) { [200, { "Content-Type" => "text/plain" }, ["ok"]] }).call(Rack::MockRequest.env_for("/"))
  .first
# prints: 200
# prints: hello wörld
# prints: 12
# prints: W/"821cd58a9fb899141dd98c29b6cabb6c"
# prints: 200
# prints: ""
# prints: 201
# prints: {"a":{"b":["1","2"]},"c":"xy"}
# prints: f.txt
# prints: content
# prints: text/plain
# prints: 404
# prints: 1
# prints: 2
# prints: &lt;a href=&#x27;x&#x27;&gt;&amp;&lt;&#x2F;a&gt;
# prints: a[]=1&a[]=2&b[c]=d
# prints: {"x":{"y":["1","2"]},"z":""}
# prints: application/json
# prints: 404
# prints: 200

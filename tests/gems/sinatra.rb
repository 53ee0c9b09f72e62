# gems: sinatra
ENV["APP_ENV"] = "test"
require "sinatra/base"
require "rack/mock"
class App < Sinatra::Base
  set :environment, :test
  set :sessions, false
  disable :protection
  helpers { def shout(text) = text.upcase + "!" }
  before { @started = true }
  get("/") { "index #{@started}" }
  get("/hi/:name") { |name| shout("hi #{name}") }
  get(%r{/num/(\d+)}) { |n| (n.to_i * 2).to_s }
  get("/erb") { erb "<% 3.times do |i| %><li><%= i %></li><% end %>" }
  get("/splat/*.*") { params["splat"].join("|") }
  post("/echo") { content_type :json; status 201; %({"got":"#{params[:v]}"}) }
  get("/go") { redirect to("/hi/x"), 302 }
  get("/halt") { halt 418, { "X-Tea" => "pot" }, "short" }
  get("/boom") { raise ArgumentError, "boom" }
  error(ArgumentError) { "caught #{env["sinatra.error"].message}" }
  not_found { "nothing at #{request.path_info}" }
  after { headers "X-After" => "yes" }
end
request = Rack::MockRequest.new(App)
%w[/ /hi/ann /num/21 /erb /splat/dir/file.txt /go /halt /boom /missing].each do |path|
  r = request.get(path)
  puts "#{path}: #{r.status} #{r.body} #{r["X-After"]} #{r["Location"]} #{r["Content-Type"]}"
end
r = request.post("/echo", params: { v: "w" })
puts r.status, r.body, r["Content-Type"]
# prints: /: 200 index true yes  text/html;charset=utf-8
# prints: /hi/ann: 200 HI ANN! yes  text/html;charset=utf-8
# prints: /num/21: 200 42 yes  text/html;charset=utf-8
# prints: /erb: 200 <li>0</li><li>1</li><li>2</li> yes  text/html;charset=utf-8
# prints: /splat/dir/file.txt: 200 dir/file|txt yes  text/html;charset=utf-8
# prints: /go: 302  yes http://example.org/hi/x text/html;charset=utf-8
# prints: /halt: 418 short yes  text/html;charset=utf-8
# prints: /boom: 500 caught boom yes  text/html;charset=utf-8
# prints: /missing: 404 nothing at /missing yes  text/html;charset=utf-8
# prints: 201
# prints: {"got":"w"}
# prints: application/json

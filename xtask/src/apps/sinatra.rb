require "json"
apps_require "sinatra/base", "rack/mock"

class App < Sinatra::Base
  set :environment, :test
  set :show_exceptions, false
  set :raise_errors, false
  enable :sessions
  set :session_secret, "x" * 64
  helpers { def shout(text) = text.upcase }
  before { headers "X-Before" => "1" }
  get("/") { "Hello #{shout(params["name"] || "world")}" }
  get("/page/:id") { erb "<% 3.times do |n| %><b><%= params[:id] %><%= n %></b><% end %>" }
  post("/form") { params.sort.to_json }
  get("/count") { session["n"] = session["n"].to_i + 1; session["n"].to_s }
  get("/stop") { halt 403, "no" }
  get("/raise") { raise "oh" }
  get(%r{/re/(\d+)}) { |n| (n.to_i * 2).to_s }
  not_found { "nothing" }
  error { "error: #{env["sinatra.error"].message}" }
end
request = Rack::MockRequest.new(App)
%w[/ /?name=ada /page/7 /stop /raise /re/21 /none].each do |path|
  response = request.get(path)
  p [path, response.status, response.body, response["X-Before"], response["Content-Type"]]
end
p request.post("/form", params: { a: "1", b: { c: "2" } }).body
cookie = request.get("/count")["Set-Cookie"].to_s[/\A[^;]+/]
p request.get("/count", "HTTP_COOKIE" => cookie).body
500.times { |n| request.get("/page/#{n}") }

# A WEBrick server and a Sinatra application serve requests from 8 client threads. Both come from Debian's packages
# (ruby-webrick, ruby-rack, ruby-sinatra) and are left out where these are missing. REQUESTS=10000 asks for more.
# timeout: 120
require "net/http"

REQUESTS = Integer(ENV.fetch("REQUESTS", "800"))
CLIENTS = 8

def available?(*libraries)
  libraries.each { |library| require library }
  true
rescue LoadError
  false
end

# What went wrong among the requests to a server with this servlet.
def failures(mount)
  server = WEBrick::HTTPServer.new(BindAddress: "127.0.0.1", Port: 0, Logger: WEBrick::Log.new(File::NULL),
                                   AccessLog: [])
  mount.call(server)
  port = server.listeners[0].addr[1]
  running = Thread.new { server.start }
  clients = CLIENTS.times.map do |client|
    Thread.new { (REQUESTS / CLIENTS).times.filter_map { |i| yield(port, "#{client}.#{i}") } }
  end
  clients.flat_map(&:value)
ensure
  server.shutdown
  running.join
end

def expect(expected, response)
  response.code == "200" && response.body == expected ? nil : [response.code, response.body]
end

webrick = available?("webrick")
sinatra = webrick && available?("sinatra/base", "rack/handler/webrick")

mount = ->(server) { server.mount_proc("/echo") { |request, response| response.body = "echo #{request.query["n"]}" } }
plain =
  if webrick
    failures(mount) do |port, n|
      expect("echo #{n}", Net::HTTP.get_response(URI("http://127.0.0.1:#{port}/echo?n=#{n}")))
    end
  else
    []
  end
plain # => []

if sinatra
  class Application < Sinatra::Base
    set :environment, :production
    set :logging, false
    get("/hello/:name") { "hello #{params["name"]}" }
    post("/length") { params["text"].to_s.length.to_s }
    get("/missing") { halt 404, "nothing here" }
  end
end

mount = ->(server) { server.mount("/", Rack::Handler::WEBrick, Application) }
answers = sinatra ? failures(mount) do |port, n|
  base = "http://127.0.0.1:#{port}"
  case n[/\d+\z/].to_i % 3
  when 0 then expect("hello #{n}", Net::HTTP.get_response(URI("#{base}/hello/#{n}")))
  when 1 then expect(n.length.to_s, Net::HTTP.post_form(URI("#{base}/length"), text: n))
  else
    response = Net::HTTP.get_response(URI("#{base}/missing"))
    response.code == "404" && response.body == "nothing here" ? nil : response.code
  end
end : []
answers # => []

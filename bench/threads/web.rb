# A web server and its clients in one process: requests per second and the slowest hundredth.
# usage: web.rb webrick|sinatra [REQUESTS] [CLIENTS] [BUSY THREADS]
require "socket"
kind = ARGV[0] || "webrick"
requests = (ARGV[1] || 2000).to_i
clients = (ARGV[2] || 8).to_i
busy = (ARGV[3] || 0).to_i

require "webrick"
log = WEBrick::Log.new(File::NULL)
server = WEBrick::HTTPServer.new(BindAddress: "127.0.0.1", Port: 0, Logger: log, AccessLog: [])
port = server.listeners[0].addr[1]
if kind == "webrick"
  server.mount_proc("/hello") { |req, res| res.body = "hello #{req.query["name"]}"; res["Content-Type"] = "text/plain" }
else
  ENV["APP_ENV"] = "production"
  require "sinatra/base"
  app = Class.new(Sinatra::Base) do
    set :environment, :production
    set :logging, false
    disable :protection if respond_to?(:disable)
    get("/hello") { content_type "text/plain"; "hello #{params["name"]}" }
  end
  require "rack"
  begin
    require "rack/handler/webrick"
    handler = Rack::Handler::WEBrick
  rescue LoadError
    require "rackup/handler/webrick"
    handler = Rackup::Handler::WEBrick
  end
  server.mount("/", handler, app.new)
end
Thread.new { server.start }
get = ->(name) do
  s = TCPSocket.new("127.0.0.1", port)
  s.write("GET /hello?name=#{name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nUser-Agent: bench\r\n" \
          "Accept: */*\r\n\r\n")
  text = s.read
  s.close
  text
end
20.times { get.("warm") }
stop = false
spin = (0...busy).map { Thread.new { x = 0; x += 1 until stop } }
errors = Queue.new
times = Queue.new
now = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }
t0 = now.()
cpu0 = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
(0...clients).map do |c|
  Thread.new do
    (requests / clients).times do |i|
      a = now.()
      text = get.("c#{c}x#{i}")
      errors << text unless text.end_with?("hello c#{c}x#{i}") && text.start_with?("HTTP/1.1 200")
      times << now.() - a
    rescue => e
      errors << e.full_message
    end
  end
end.each(&:join)
secs = now.() - t0
cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - cpu0
stop = true
all = Array.new(times.size) { times.pop }.sort
puts "#{kind} busy=#{busy}: #{(all.size / secs).round} req/s  cpu #{(cpu * 1e6 / all.size).round} us/req  p50 " \
     "#{(all[all.size / 2] * 1e3).round(2)} ms  p99 #{(all[all.size * 99 / 100] * 1e3).round(2)} ms  errors " \
     "#{errors.size}"
puts errors.pop unless errors.empty?
server.shutdown

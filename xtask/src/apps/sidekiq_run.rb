require "socket"
require "json"
apps_require "redis", "sidekiq"

exit!(77) unless system("command -v redis-server > /dev/null 2>&1")
server = TCPServer.new("127.0.0.1", 0)
port = server.addr[1]
server.close
pid = spawn("redis-server", "--port", port.to_s, "--save", "", "--appendonly", "no", out: File::NULL)
at_exit { Process.kill(:TERM, pid) }
redis = Redis.new(host: "127.0.0.1", port: port)
begin
  redis.ping
rescue Redis::CannotConnectError
  sleep 0.05
  retry
end
class Worker
  include Sidekiq::Worker
  def perform(*args) = puts("sidekiq #{args.to_json}")
end
Sidekiq.configure_client { |config| config.redis = { url: "redis://127.0.0.1:#{port}/1" } }
Worker.perform_async(1, "x")
Worker.perform_in(60, 2)
require "sidekiq/api"
p Sidekiq::Queue.new.size, Sidekiq::ScheduledSet.new.size, Sidekiq::Queue.new.first.args
require "sidekiq/testing"
Sidekiq::Testing.inline! { Worker.perform_async([3], "y" => 1) }
p redis.pipelined { |pipeline| 500.times { |n| pipeline.set("k#{n}", n) } }.size, redis.get("k77"),
  redis.mget("k1", "none")
p redis.multi { |transaction| transaction.incr("n"); transaction.incr("n") }
redis.xadd("stream", { "a" => "1" }, id: "1-1")
puts redis.xrange("stream").to_json, redis.eval("return {1, KEYS[1]}", keys: ["k"])

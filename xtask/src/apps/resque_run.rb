require "socket"
require "json"
apps_require "redis", "redis-namespace", "sinatra/base", "mono_logger", "multi_json", "resque"

exit!(77) unless system("command -v redis-server > /dev/null 2>&1")
server = TCPServer.new("127.0.0.1", 0)
port = server.addr[1]
server.close
pid = spawn("redis-server", "--port", port.to_s, "--save", "", "--appendonly", "no", out: File::NULL)
main = Process.pid
at_exit { Process.kill(:TERM, pid) if Process.pid == main }
begin
  Redis.new(host: "127.0.0.1", port: port).ping
rescue Redis::CannotConnectError
  sleep 0.05
  retry
end
Resque.redis = "redis://127.0.0.1:#{port}/2"
Resque.logger = Logger.new(File::NULL)

# Each job runs in a process of its own.
class Told
  @queue = :told
  def self.perform(*args) = File.write("done", "#{args.to_json} #{Process.pid == MAIN}\n", mode: "a")
end
class Fails
  @queue = :told
  def self.perform(text) = raise(ArgumentError, "cannot #{text}")
end
class Hooked
  @queue = :hooked
  def self.before_perform_a(*) = File.write("done", "before\n", mode: "a")
  def self.after_perform_a(*) = File.write("done", "after\n", mode: "a")
  def self.on_failure_a(error, *) = File.write("done", "failed #{error.class}\n", mode: "a")
  def self.perform(good) = good || raise("hooked")
end
class Leaves
  @queue = :hooked
  def self.perform = Process.kill(:KILL, Process.pid)
end
MAIN = main
p Resque.enqueue(Told, 1, "x" => [2, nil]), Resque.enqueue(Fails, "go on"), Resque.enqueue_to(:hooked, Hooked, true)
Resque.enqueue(Hooked, false)
Resque.enqueue(Leaves)
p Resque.queues.sort, Resque.size(:told), Resque.peek(:told, 0, 5), Resque.info.slice(:pending, :queues, :failed)
p Resque.dequeue(Told, 9), Resque.enqueue(Told, 9), Resque.dequeue(Told, 9)
worker = Resque::Worker.new(:told, :hooked)
worker.term_timeout = 1
worker.work(0)
puts File.read("done")
p Resque.info.slice(:pending, :processed, :failed), Resque::Stat[:processed], Resque.workers
Resque::Failure.all(0, 10)
  .each { |job| p job.values_at("exception", "error", "queue").map { it&.gsub(/\d+/, "N") }, job["payload"] }
Resque::Failure.requeue(0)
p Resque.size(:told), Resque::Failure.count, Resque.reserve(:told).args
Resque.inline = true
Resque.enqueue(Told, "inline")
puts File.readlines("done").last
told { Resque.enqueue(Class.new, 1) }
Resque.remove_queue(:told)
p Resque.queues, Resque.data_store.redis.ping

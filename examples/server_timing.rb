# What a request, or a job, did with the VM lock: a Rack middleware that says it in the header Server-Timing, which
# browsers show beside the other times of the request, and a Sidekiq middleware that writes a line for jobs that waited
# long. On other Rubies both do nothing.
#
#   config.middleware.use LockTiming                                   # Rails; in config.ru: use LockTiming
#   Sidekiq.configure_server { |config| config.server_middleware { |chain| chain.add JobLockTiming } }

# Server-Timing: lock-ran;dur=1.204, lock-waited;dur=8.020;desc="behind worker 3 at report.rb:42",
#                lock-outside;dur=3.310
class LockTiming
  HEADER = "server-timing"

  def initialize(app)
    @app = app
    @crowd = Crowd.new
  end

  attr_reader :crowd

  def call(env)
    return @app.call(env) unless defined?(Rubellite::Lock)
    use = Rubellite::Lock.measure { @app.call(env) }
    @crowd.add(use)
    status, headers, body = use.value
    behind = use.behind &&
      format(%(;desc="behind %s%s"), use.behind.delete(%("\\)), use.place && " at #{File.basename(use.place)}")
    timing = [format("lock-ran;dur=%.3f", use.held_ns / 1e6),
              format("lock-waited;dur=%.3f%s", use.waited_ns / 1e6, behind),
              format("lock-outside;dur=%.3f", use.outside_ns / 1e6)]
    # Frozen headers are the application's.
    [status, headers.merge(HEADER => [headers[HEADER], *timing].compact.join(", ")), body]
  end
end

# How many threads pay, from what requests or jobs were measured to do: time between them does not count.
class Crowd
  def initialize
    @mutex = Mutex.new
    @held = @waited = @outside = 0
  end

  def add(use)
    @mutex.synchronize do
      @held += use.held_ns
      @waited += use.waited_ns
      @outside += use.outside_ns
    end
  end

  # So many threads that are always at work keep the lock busy.
  def useful_threads = @mutex.synchronize { @held.zero? ? nil : (@held + @outside) / @held.to_f }

  # A sentence for a pool of that size, when it is too large and requests do wait.
  def advice(threads)
    useful, share = useful_threads, @mutex.synchronize { @waited / (@held + @waited + @outside).to_f }
    return if useful.nil? || threads < useful.ceil + 1 || share < 0.25
    format("%d threads are too many: %d keep the lock busy, and requests wait for it %.0f %% of their time", threads,
           useful.ceil, share * 100)
  end
end

# Writes a line for a job that waited for the lock for a larger part of its time than `share`.
class JobLockTiming
  def initialize(share: 0.25, out: $stderr) = (@share, @out = share, out)

  def call(_worker, job, queue)
    return yield unless defined?(Rubellite::Lock)
    measuring = nil
    Rubellite::Lock.measure { |started| measuring = started; yield }.value
  ensure
    use = measuring&.read
    if use && use.waited_ns > @share * use.wall_ns
      behind = use.behind &&
        format(", the longest time (%.1f ms) behind %s at %s", use.longest_wait_ns / 1e6, use.behind,
               use.place || "an unknown line")
      @out.puts format("%s in %s waited %.1f ms for the lock: ran %.1f ms, outside %.1f ms%s", job["class"], queue,
                       use.waited_ns / 1e6, use.held_ns / 1e6, use.outside_ns / 1e6, behind)
    end
  end
end

if $PROGRAM_NAME == __FILE__
  stop = false
  beside = Array.new(3) { Thread.new { 1000.times { |i| i * i } until stop } }
  app = LockTiming.new(->(env) {
    [200, { "content-type" => "text/plain" },
     [20.times.sum { |i| env[:busy] ? 20_000.times { i + 1 } : sleep(0.001); i }.to_s]]
  })
  puts app.call({})[1]
  # Requests that compute all the time, one for each thread: one thread would do.
  6.times.map { Thread.new { app.call({ busy: true }) } }.each(&:join)
  puts app.crowd.advice(6)
  JobLockTiming.new(share: 0.1, out: $stdout)
    .call(nil, { "class" => "Report" }, "default") { 300_000.times { |i| i.to_s } }
  stop = true
  beside.each(&:join)
end

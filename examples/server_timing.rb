# What a request, or a job, did with the VM lock: a Rack middleware that says it in the header Server-Timing, which browsers show beside the
# other times of the request, and a Sidekiq middleware that writes a line for jobs that waited long. On other Rubies both do nothing.
#
#   config.middleware.use LockTiming                                   # Rails; in config.ru: use LockTiming
#   Sidekiq.configure_server { |config| config.server_middleware { |chain| chain.add JobLockTiming } }

# The time that the current thread ran, waited for the lock and was outside it (input, output, sleep) during a piece of work.
class LockUse
  KNOWN = defined?(Rubellite::Lock) && Rubellite::Lock.respond_to?(:stats)

  def initialize = @before = counters

  # Milliseconds by name since it was made.
  def ms
    counters.to_h { |name, ns| [name, (ns - @before[name]) / 1e6] }
  end

  private

  def counters
    return {} unless KNOWN
    stats = Rubellite::Lock.stats(Thread.current)
    { ran: stats[:held_ns], waited: stats[:waited_ns], outside: stats[:outside_ns] }
  end
end

# Server-Timing: lock-ran;dur=1.204, lock-waited;dur=8.020, lock-outside;dur=3.310
class LockTiming
  HEADER = "server-timing"

  def initialize(app) = @app = app

  def call(env)
    use = LockUse.new
    status, headers, body = @app.call(env)
    timing = use.ms.map { |name, ms| format("lock-%s;dur=%.3f", name, ms) }
    # Frozen headers are the application's.
    headers = headers.merge(HEADER => [headers[HEADER], *timing].compact.join(", ")) unless timing.empty?
    [status, headers, body]
  end
end

# Writes a line for a job that waited for the lock for a larger part of its time than `share`.
class JobLockTiming
  def initialize(share: 0.25, out: $stderr) = (@share, @out = share, out)

  def call(_worker, job, queue)
    use = LockUse.new
    yield
  ensure
    ms = use&.ms || {}
    if ms.any? && ms[:waited] > @share * ms.values.sum
      @out.puts format("%s in %s waited %.1f ms for the lock: ran %.1f ms, outside %.1f ms", job["class"], queue, ms[:waited], ms[:ran], ms[:outside])
    end
  end
end

if $PROGRAM_NAME == __FILE__
  stop = false
  beside = Array.new(3) { Thread.new { 1000.times { |i| i * i } until stop } }
  app = LockTiming.new(->(_env) { [200, { "content-type" => "text/plain" }, [20.times.sum { |i| sleep 0.001; i }.to_s]] })
  puts app.call({})[1]
  JobLockTiming.new(share: 0.1, out: $stdout).call(nil, { "class" => "Report" }, "default") { 300_000.times { |i| i.to_s } }
  stop = true
  beside.each(&:join)
end

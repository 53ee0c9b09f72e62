# Shares of the lock: threads that compute beside threads that chat over pipes, for a while.
#
#   rubellite bench/threads/fairness.rb [SECONDS=10] [CHATTY=100] [BUSY=2]
#
# Each chatty thread answers a byte with a byte, working a little in between; a hundred of them offer more than one
# processor can do. Stated shares: threads that compute keep more than a third of the lock together and are equals; no
# chatty thread starves.
SECONDS = Float(ARGV[0] || 10)
CHATTY = Integer(ARGV[1] || 100)
BUSY = Integer(ARGV[2] || 2)

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
def work(n) = n.times { |i| i * i }

# Rounds of work that one thread does alone in a second.
started = now
alone = 0
(work(100); alone += 1) while now - started < 1.0

stop = false
rounds = Array.new(BUSY, 0)
answers = Array.new(CHATTY, 0)
worst = Array.new(CHATTY, 0.0)
threads = CHATTY.times.map do |i|
  here, there = IO.pipe
  there.sync = true
  Thread.new do
    until stop
      there.write("x")
      sent = now
      here.readpartial(1)
      work(20)
      worst[i] = [worst[i], now - sent].max
      answers[i] += 1
      sleep 0.0005
    end
  end
end
threads += BUSY.times.map { |i| Thread.new { (work(100); rounds[i] += 1) until stop } }
held = -> {
  defined?(Rubellite::Lock) ? Rubellite::Lock.stats[:threads].to_h { |thread, own| [thread, own[:held_ns]] } : {}
}
before = held.call
sleep SECONDS
after = held.call
stop = true
threads.each(&:join)

share = rounds.map { |n| 100.0 * n / (alone * SECONDS) }
puts format("computing threads: %s of what one does alone (together %.1f %%)",
            share.map { |s| format("%.1f %%", s) }.join(", "), share.sum)
least, most = rounds.minmax
puts format("the least of them did %.1f %% of what the most did", 100.0 * least / most) if BUSY > 1
sorted = answers.sort
puts format("%d chatty threads: %d answers/s; least %d, median %d, most %d each; slowest answer %.1f ms", CHATTY,
            answers.sum / SECONDS, sorted.first, sorted[CHATTY / 2], sorted.last, worst.max * 1000)
unless after.empty?
  own = threads.map { |thread| after[thread].to_i - before[thread].to_i }
  total = own.sum.to_f
  busy = own.last(BUSY).map { |ns| 100 * ns / total }
  chatty = own.first(CHATTY).map { |ns| 100 * ns / total }
  puts format("of the lock's time: computing threads %s (together %.1f %%), chatty ones together %.1f %%, each %.2f " \
              "to %.2f %%", busy.map { |s| format("%.1f %%", s) }.join(", "), busy.sum, chatty.sum, chatty.min,
              chatty.max)
end

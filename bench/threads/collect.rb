# How long a thread that sleeps half a millisecond at a time is kept from running beside one that keeps many objects and
# replaces them: what collections of a large heap hold the lock for.
# Usage: collect.rb [KEPT, default 1500000] [REPLACED, default 3000000]
KEPT = (ARGV[0] || 1_500_000).to_i
REPLACED = (ARGV[1] || 3_000_000).to_i

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

# Seconds that the work takes, and those between two turns of a sleeping thread, sorted.
def beside_sleeper
  stop = false
  turns = []
  sleeper = Thread.new do
    last = now
    until stop
      sleep 0.0005
      turns << (at = now) - last
      last = at
    end
  end
  sleep 0.01
  start = now
  yield
  took = now - start
  sleep 0.005
  stop = true
  sleeper.join
  [took, turns.sort]
end

def ms(seconds) = format("%.2f ms", seconds * 1e3)

texts = Array.new(KEPT) { |i| "x#{i}" }
objects = Array.new(KEPT / 3) { |i| [i.to_s, [i, i.to_s]] }
collections = GC.count
took, turns = beside_sleeper { REPLACED.times { |i| objects[i % objects.size] = [i.to_s, [i, "y"]] } }
puts "replacing: #{took.round(2)} s, #{GC.count - collections} collections, longest turn #{ms(turns[-1])}, p99.9 " \
     "#{ms(turns[turns.size * 999 / 1000])}"
took, turns = beside_sleeper { GC.start }
puts "GC.start: #{ms(took)}, longest turn #{ms(turns[-1])}"
puts "peak memory #{File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1].to_i / 1024} MB, " \
     "#{texts.size + objects.size} kept"

# What it takes to make a thread, and to wake one that waits.
#
#   rubellite bench/threads/turns.rb [SECONDS=1]
#
# Threads are made and joined one after the other; then two threads wake each other through condition variables, so
# that each turn begins with a thread that was asleep.
SECONDS = Float(ARGV[0] || 1)

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

# How often the block runs per second.
def rate
  started = now
  done = 0
  while now - started < SECONDS
    100.times { yield }
    done += 100
  end
  (done / (now - started)).round
end

puts "threads made and joined: #{rate { Thread.new {}.join }} per second"

mutex = Mutex.new
here, there = ConditionVariable.new, ConditionVariable.new
ball = :here
other = Thread.new do
  mutex.synchronize do
    until ball == :gone
      if ball == :there
        ball = :here
        here.signal
      end
      there.wait(mutex)
    end
  end
end
turns = mutex.synchronize do
  rate do
    ball = :there
    there.signal
    here.wait(mutex) until ball == :here
  end
end
mutex.synchronize { ball = :gone; there.signal }
other.join
puts "turns through condition variables: #{turns * 2} per second"

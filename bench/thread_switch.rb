# Threads that hand work to each other through queues, and a mutex under contention.
input = Thread::Queue.new
output = Thread::Queue.new
workers = Array.new(3) do
  Thread.new do
    while (number = input.pop)
      output << number * 2
    end
  end
end
300_000.times { |i| input << i }
sum = 0
300_000.times { sum += output.pop }
3.times { input << nil }
workers.each(&:join)

lock = Mutex.new
count = 0
Array.new(4) { Thread.new { 400_000.times { lock.synchronize { count += 1 } } } }.each(&:join)
7_000.times { |i| sum += Thread.new(i) { |x| x + 1 }.value }
puts sum, count

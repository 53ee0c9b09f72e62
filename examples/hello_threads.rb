# Four threads compute while a fifth one keeps time: how late does it wake up?
done = false
latest = 0.0
clock = Thread.new do
  until done
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    sleep 0.01
    late = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start - 0.01
    latest = late if late > latest
  end
end

workers = Array.new(4) do |number|
  Thread.new do
    sum = 0
    2_000_000.times { |i| sum += i % (number + 2) }
    puts "worker #{number}: #{sum}"
  end
end

workers.each(&:join)
done = true
clock.join
puts format("a sleep of 10 ms came back at most %.1f ms late", latest * 1000)

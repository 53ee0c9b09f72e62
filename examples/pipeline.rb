# Three stages joined by bounded queues: a full queue holds its producer back.
numbers = Thread::SizedQueue.new(8)
squares = Thread::SizedQueue.new(8)

producer = Thread.new do
  1.upto(50) { |n| numbers << n }
  numbers.close
end

squarers = Array.new(2) do
  Thread.new do
    while (n = numbers.pop)
      squares << n * n
    end
  end
end

closer = Thread.new do
  squarers.each(&:join)
  squares.close
end

sum = 0
while (square = squares.pop)
  sum += square
end
[producer, closer].each(&:join)
puts "sum of squares: #{sum}"

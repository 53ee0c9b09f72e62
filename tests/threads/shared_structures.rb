list = []
hash = {}
string = +""
lock = Mutex.new
4.times.map do |n|
  Thread.new do
    250.times do |i|
      list << i
      hash[[n, i]] = i
      lock.synchronize { string << "x" }
    end
  end
end.each(&:join)
list.size # => 1000
hash.size # => 1000
string.size # => 1000
counter = 0
4.times.map { Thread.new { 100.times { counter += 1 } } }.each(&:join)
counter # => 400
8.times.map { |n| Thread.new { (1..500).reduce(:+) + n } }.map(&:value).sum # => 1002028

# Many threads, each parked on a socket of its own, answer one request and end. THREADS=10000 asks for more.
require "socket"

THREADS = Integer(ENV.fetch("THREADS", "300"))
pairs = Array.new(THREADS) { UNIXSocket.pair }
threads = pairs.map do |_, theirs|
  Thread.new do
    while (line = theirs.gets)
      theirs.write("re: #{line}")
    end
    theirs.close
    :ended
  end
end
Thread.pass until threads.all?(&:stop?)
threads.all?(&:alive?) # => true
pairs.each_with_index { |(mine, _), i| mine.puts(i) }
pairs.each_with_index.count { |(mine, _), i| mine.gets == "re: #{i}\n" } == THREADS # => true
pairs.each { |mine, _| mine.close }
threads.map(&:value).uniq # => [:ended]

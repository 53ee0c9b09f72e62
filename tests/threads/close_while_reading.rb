r, w = IO.pipe
t = Thread.new do
  r.read
rescue IOError => e
  e.message
end
Thread.pass until t.stop?
r.close
t.value # => "stream closed in another thread"
r.closed? # => true
w.close
many = 5.times.map { IO.pipe }
threads = many.map { |a, _| Thread.new { begin; a.gets; rescue IOError => e; e.class; end } }
Thread.pass until threads.all?(&:stop?)
many.each { |a, _| a.close }
threads.map(&:value).uniq # => [IOError]
one, other = IO.pipe
crowd = 8.times.map { Thread.new { begin; one.read(1); rescue IOError => e; e.message; end } }
Thread.pass until crowd.all?(&:stop?)
one.close
crowd.map(&:value).uniq # => ["stream closed in another thread"]

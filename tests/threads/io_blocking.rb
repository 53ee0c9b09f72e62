r, w = IO.pipe
t = Thread.new { r.gets }
Thread.pass until t.stop?
w.puts "line"
t.value # => "line\n"
u = Thread.new { r.read(3) }
w.write("abc")
u.value # => "abc"
Thread.new { sleep 0.001; :slept }.value # => :slept
a, b = IO.pipe
readers = 3.times.map { Thread.new { a.sysread(1) } }
Thread.pass until readers.all?(&:stop?)
b.write("xyz")
readers.map(&:value).sort # => ["x", "y", "z"]

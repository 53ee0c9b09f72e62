t = Thread.new { raise ArgumentError, "inside" }
t.report_on_exception = false
t.join # raises ArgumentError: inside
t.value # raises ArgumentError: inside
t.status # => nil
Thread.report_on_exception # => true
Thread.abort_on_exception # => false
u = Thread.new { Thread.current.report_on_exception = false; raise "x" }
(u.join rescue $!.message) # => "x"
u.alive? # => false
v = Thread.new { begin; raise "caught"; rescue => e; e.message; end }
v.value # => "caught"

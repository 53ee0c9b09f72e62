t = Thread.new { catch(:x) { throw :x, 5 } }
t.value # => 5
u = Thread.new { throw :outside }
u.report_on_exception = false
u.value # raises UncaughtThrowError: uncaught throw :outside
v = Thread.new { [1, 2].each { |x| break x * 3 } }
v.value # => 3
Thread.new { next 7 }.value # => 7

t = Thread.new { sleep }
Thread.pass until t.stop?
t.backtrace.first[/in .*/] # => "in 'Kernel#sleep'"
t.backtrace_locations.class # => Array
t.kill.join
t.backtrace # => nil

# stderr: terminated with exception (report_on_exception is true)
t = Thread.new { raise "reported" }
(t.join rescue $!.message) # => "reported"

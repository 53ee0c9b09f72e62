main = Thread.current
Thread.new { main.join }.join # raises ThreadError: Target thread must not be main thread
begin
  Thread::Queue.new.pop
rescue Exception => e
  e.class # => fatal
  e.message.lines.first # => "No live threads left. Deadlock?\n"
end

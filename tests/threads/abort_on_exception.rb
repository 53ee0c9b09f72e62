# status: 1
# stderr: from the thread
Thread.new do
  Thread.current.report_on_exception = false
  Thread.current.abort_on_exception = true
  raise "from the thread"
end
sleep 5
puts "never"

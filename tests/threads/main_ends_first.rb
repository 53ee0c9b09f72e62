Thread.new { begin; sleep; ensure; puts "ensured"; end }.tap { |t| Thread.pass until t.stop? }
at_exit { puts "at exit" }
puts "main ends"
# prints: main ends
# prints: at exit
# prints: ensured

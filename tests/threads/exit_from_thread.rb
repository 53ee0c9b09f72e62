# status: 4
at_exit { puts "at exit" }
Thread.new { exit 4 }
sleep 5
puts "never"
# prints: at exit

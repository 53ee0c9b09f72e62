END { puts "last" }
at_exit { puts "registered later runs earlier" }
BEGIN { puts "first" }
puts "body"
# prints: first
# prints: body
# prints: registered later runs earlier
# prints: last

# status: 3
at_exit { puts "bye" }
begin
  exit 3
ensure
  puts "ensured"
end
# prints: ensured
# prints: bye

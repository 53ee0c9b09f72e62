# status: 1
# stderr: in 'Object#m': boom (ArgumentError)
def m = raise(ArgumentError, "boom")
puts "before"
m
puts "never"
# prints: before

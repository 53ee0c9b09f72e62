x = 0
begin
  3.times { |i| x = i; raise "stop" if i == 1 }
rescue
end
x # => 1
def m
  y = 1
  [1].each { y += 1; return y }
ensure
  $seen = y
end
m # => 2
$seen # => 2

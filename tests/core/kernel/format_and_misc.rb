rand.class # => Float
rand(10).between?(0, 9) # => true
rand(1..3).between?(1, 3) # => true
srand.class # => Integer
[srand(5), rand(100), srand(5), rand(100)].then { |a| a[1] == a[3] } # => true
Integer === 3 # => true
caller.class # => Array
[binding.local_variables.size > 0].size # => 1
loop { break :x } # => :x
catch(:a) { throw :a, 2 } # => 2
sprintf("%d", 3) # => "3"
gets.nil? # => true
`echo hi` # => "hi\n"
system("exit 2") # => false
$?.exitstatus # => 2
system("true") # => true
system("no-such-program-here") # => nil
test(?d, "/") # => true
block_given? # => false
frozen? # => false
obj = Object.new.then { |o| o.instance_of?(Object) } # => true
sleep(0) # => 0
sleep(-1) # raises ArgumentError: time interval must not be negative
sleep("a") # raises TypeError: can't convert String into time interval
autoload?(:Nope) # => nil
at_exit { }.class # => Proc
__method__.inspect # => "nil"
Kernel.respond_to?(:fork) # => true
binding.irb.nil? if false # => nil

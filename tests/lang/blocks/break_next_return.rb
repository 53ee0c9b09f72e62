[1, 2, 3].each { |x| break x * 10 if x == 2 } # => 20
[1, 2, 3].map { |x| next 0 if x == 2; x } # => [1, 0, 3]
def m
  r = [1, 2, 3].each { |x| return x if x == 2 }
  :not_here
end
m # => 2
def from_proc
  pr = Proc.new { return :from_proc }
  pr.call
  :after
end
from_proc # => :from_proc
def make = proc { return 1 }
make.call # raises LocalJumpError: unexpected return
def lam
  l = -> { return 1 }
  l.call
  :after
end
lam # => :after
def brk(&b) = b
brk { break 1 }.call # raises LocalJumpError: break from proc-closure
x = [1, 2].each_with_index { |v, i| break [v, i] if i == 1 }
x # => [2, 1]
while true do break end # => nil

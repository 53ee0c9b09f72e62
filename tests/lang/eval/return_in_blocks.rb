# `return` ends a file, also from its blocks, but not from an eval in one of them.
def trying
  yield
rescue LocalJumpError => error
  error.message
end
trying { eval "return 5" } # => "unexpected return"
trying { trying { eval("eval 'return 5'") } } # => "unexpected return"
def returned = trying { eval "return 6" }
returned # => 6
lambda { eval "return 7" }.call # => 7
lambda { trying { eval "return 8" } }.call # => 8
# Blocks written in the eval do not end the file either.
trying { eval "trying { return 5 }" } # => "unexpected return"
proc { trying { eval "[1].each { return 5 }" } }.call # => "unexpected return"
def each_returned = [1].each { eval "[2].each { return it }" }
each_returned # => 2
def lambda_returned = lambda { eval "[3].each { return it }" }.call + 1
lambda_returned # => 4
def instance_returned = instance_eval("[5].each { return it }")
instance_returned # => 5
eval "puts 9; return; puts 10" # prints: 9
puts 11

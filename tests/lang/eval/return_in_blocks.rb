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
eval "puts 9; return; puts 10" # prints: 9
puts 11

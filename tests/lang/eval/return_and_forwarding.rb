# `return` in an eval returns from the code that the eval belongs to.
def plain
  eval("return 1")
  2
end
plain # => 1
def with_variables
  x = 5
  eval("y = 1; return x + y")
  2
end
with_variables # => 6
def in_block
  [1, 2].each { |n| eval("return n * 10") }
  3
end
in_block # => 10
def in_lambda
  value = -> { eval("return :inner"); :after }.call
  [value, :outer]
end
in_lambda # => [:inner, :outer]
def in_instance_eval
  "text".instance_eval("return size")
  0
end
in_instance_eval # => 4
def ensured(log)
  eval("return :value")
ensure
  log << :ensured
end
log = []
ensured(log) # => :value
log # => [:ensured]
def orphan = proc { eval("return :never") }
orphan.call # raises LocalJumpError: unexpected return
x = -> do
  Proc.new { eval("return :eval") }.call
  :not_reached
end
x.call # => :eval

# Parameters without names can be passed on.
def target(*list, **options, &block) = [list, options, block&.call]
def pass_block(&) = eval("target(&)")
pass_block { 1 } # => [[], {}, 1]
def pass_all(...) = eval("target(...)")
pass_all(1, a: 2) { 3 } # => [[1], {a: 2}, 3]
def pass_rest(*, **) = eval("target(*, **)")
pass_rest(1, a: 2) # => [[1], {a: 2}, nil]

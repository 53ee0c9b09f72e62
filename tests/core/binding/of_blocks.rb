# The binding of a block sees every local around it, also those that no block uses.
def read(expression, &block) = eval(expression, block.binding)
def around
  post = "post"
  used = 1
  read("[post.size, used]") { used }
end
around # => [4, 1]

def nested
  a = 1
  b = 2
  [3].map do |b|
    c = 4
    [5].map { |x| read("[a, b, c, x]") { } }
  end
end
nested # => [[[1, 3, 4, 5]]]

def names(&block) = block.binding.local_variables
def named(first, second = 2)
  third = 3
  names { third }
end
named(1).sort # => [:first, :second, :third]

def defined_by_it(&block)
  block.binding.eval("fresh = 5")
  block.binding.local_variable_defined?(:fresh)
end
defined_by_it { } # => false
def sent
  value = 7
  send(:binding).local_variable_get(:value)
end
sent # => 7
missing = proc { }.binding
missing.local_variable_defined?(:nowhere) # => false

# Special variables are those of the code that the binding is of.
def replaced(text, &block)
  text.sub(/a(b)/) do |match|
    block.binding.eval("proc { |m| $~ = m }").call($~)
    block.call(match)
  end
end
replaced("xaby") { $1 + "!" } # => "xb!y"
def set_match(&block)
  "zz" =~ /z(z)/
  block.binding.eval("proc { |m| $~ = m }").call($~)
end
set_match { }
$1 # => "z"

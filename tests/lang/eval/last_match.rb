# `$~` and `$_` of an eval are those of the code whose variables it sees.
def direct
  eval("'x' =~ /x/")
  first = $~[0]
  eval("[1].each { 'y' =~ /y/ }")
  [first, $~[0]]
end
direct # => ["x", "y"]

def through_binding
  here = binding
  here.eval("'x' =~ /x/")
  first = $~[0]
  here.eval("proc { 'y' =~ /y/ }").call
  [first, $~[0], here.eval("$~[0]")]
end
through_binding # => ["x", "y", "y"]

def setter(&block) = block.binding.eval("proc { |match| $~ = match }").call(/b(.)/.match("abc"))
def set_by_callee
  unused = 1
  setter { unused }
  first = $1
  $~ = nil
  [1].each { setter { unused } }
  [first, $1]
end
set_by_callee # => ["c", "c"]

def line
  eval('$_ = "text"')
  $_
end
line # => "text"

def by_string
  Object.new.instance_eval("'x' =~ /x/")
  $~[0]
end
by_string # => "x"

# `return` in a block that an eval has left behind leaves the method.
def returns
  eval("proc { return 1 }").call
  2
end
returns # => 1

def nested
  eval("eval('proc { return 3 }')").call
  4
end
nested # => 3

# Code of an eval is called what the code around it is called.
def label = caller(1, 1)[0][/in '(.*)'/, 1]
eval("label") # => "<main>"
1.then { eval("label") } # => "block in <main>"
1.then { binding.eval("label") } # => "block in <main>"
1.then { eval("1.then { label }") } # => "block (2 levels) in <main>"
def in_method = eval("label")
in_method # => "Object#in_method"
def in_block = 1.then { eval("label", binding) }
in_block # => "block in Object#in_block"
class Around
  LABELS = [eval("label"), 1.then { eval("label") }, class_eval("label"), instance_eval("label")]
end
Around::LABELS # => ["<class:Around>", "block in <class:Around>", "<class:Around>", "<class:Around>"]
1.then { 1.then { TOPLEVEL_BINDING.eval("label") } } # => "<main>"
proc { eval("eval('label')") }.call # => "block in <main>"
eval("def defined_in_eval = label; defined_in_eval") # => "Object#defined_in_eval"

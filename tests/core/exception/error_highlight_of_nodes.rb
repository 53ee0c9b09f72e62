# The way by which tools find the piece of an evaluated text that raised:
# the number of the node, the tree that Prism makes of the text, the spot.
require "prism"
Trees = RubyVM::AbstractSyntaxTree
RubyVM::InstructionSequence.compile("").to_a[4][:parser] # => :prism
RubyVM::InstructionSequence.compile("").to_a.first # => "YARVInstructionSequence/SimpleDataFormat"
RubyVM::InstructionSequence.compile("a = 1\nb = 2").to_a.values_at(1, 2, 5, 6, 8, 9, 10) # => [4, 0, "<compiled>", "<compiled>", 1, :top, [:a, :b]]

def place(code) = RubyVM::InstructionSequence.of(code).to_a[4][:code_location]
place(eval("proc { |x| x }")) # => [1, 5, 1, 14]
def one_line = 1
place(method(:one_line)).values_at(1, 3) # => [0, 16]
place(eval("-> { 1 }")) # => [1, 2, 1, 8]
longer = ->(a) do
  a
end
place(longer).values_at(1, 3) # => [11, 3]
RubyVM::InstructionSequence.compile("1\n2+3").to_a[4][:code_location] # => [1, 0, 2, 3]

def piece(source)
  source = "def probe\n  #{source}\nend"
  Object.class_eval(source, "view.erb", 5)
  probe
rescue Exception => error
  location = error.backtrace_locations.first
  id = Trees.node_id_for_backtrace_location(location)
  node = Prism.parse(source).value.breadth_first_search { it.node_id == id }
  spot = ErrorHighlight.spot(node) or return node.type
  [node.type, spot[:snippet].byteslice(spot[:first_column]...spot[:last_column]), spot[:first_lineno],
   spot[:script_lines].size]
end

piece("@out.foo( not_there ); 1") # => [:call_node, "not_there", 2, 3]
piece("[1].each { |x| nil.foo(x).bar }") # => [:call_node, ".foo", 2, 3]
piece("@out.to_s.\n    foo") # => [:call_node, "foo", 3, 4]
piece("x = nil; x += 1") # => [:local_variable_operator_write_node, "+", 2, 3]
piece("@b[1] = 2") # => [:call_node, "[1] =", 2, 3]
piece("nil.foo = 3") # => [:call_node, ".foo =", 2, 3]
piece("raise ArgumentError") # => [:call_node, "raise", 2, 3]
piece("Foo::Bar") # => :constant_path_node

def arguments(source)
  node = Prism.parse(source).value.statements.body.first
  spot = ErrorHighlight.spot(node, point_type: :args)
  spot && spot[:snippet].byteslice(spot[:first_column]...spot[:last_column])
end

arguments("foo(1, 2)") # => "1, 2"
arguments("foo") # => nil
arguments("a[1] = 3") # => "1] = 3"
arguments("a[1] += 2") # => "1] += 2"
arguments("a.b += 1") # => "1"
arguments("Foo::Bar += 1") # => "+"

Trees.node_id_for_backtrace_location(1) # raises TypeError: Thread::Backtrace::Location object expected
ErrorHighlight.spot(1) # raises TypeError: Exception is expected
ErrorHighlight.spot(Prism.parse("1").value) # => nil

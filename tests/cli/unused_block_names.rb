# A name counts as that of a method that uses its block from when the method is compiled on, not from its definition.
# flags: -w
# needs: 3.4
WARNED = []
def Warning.warn(text, **) = WARNED << text[/passed to '(.*?)'/, 1]

class Ignores
  def later = 1
  def inside = 1
  def evaluated = 1
  def given_to_compile = 1
  def defined_in_a_block = 1
  def told_of = 1
end
IGNORES = Ignores.new

def warned
  WARNED.clear
  yield
  WARNED.dup
end

warned { IGNORES.told_of {} } # => ["Ignores#told_of"]
warned { IGNORES.told_of {} } # => []

warned { IGNORES.later {} } # => []
warned { IGNORES.inside {} } # => []
if $never
  class Uses
    def later = yield
    def outer = def inside(&block) = block
  end
end

warned { IGNORES.evaluated {} } # => ["Ignores#evaluated"]
class Again
  def evaluated = 1
  def given_to_compile = 1
  def defined_in_a_block = 1
end
eval("if $never then def evaluated = yield end")
warned { Again.new.evaluated {} } # => []

RubyVM::InstructionSequence.compile("def given_to_compile = [1].each { yield }")
warned { Again.new.given_to_compile {} } # => []

# A block is no method of that name.
Class.new { define_method(:defined_in_a_block) { |&block| block } }
warned { Again.new.defined_in_a_block {} } # => ["Again#defined_in_a_block"]

# While every unused block is told of, names are not noted.
Warning[:strict_unused_block] = true
eval("def told_in_any_case = yield")
Warning[:strict_unused_block] = false
class Again
  def told_in_any_case = 1
end
warned { Again.new.told_in_any_case {} } # => ["Again#told_in_any_case"]

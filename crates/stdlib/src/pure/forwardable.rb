# What the library `forwardable` asks the virtual machine.
module Forwardable
  # Whether `().NAME` is a plain call of NAME.
  def self._valid_method?(method)
    method.match?(/\A[_[:alpha:]][_[:alnum:]]*[?!]?\z/) && !!RubyVM::InstructionSequence.compile("().#{method}")
  rescue SyntaxError
    false
  end

  def self._compile_method(source, file, line)
    eval(source, TOPLEVEL_BINDING.dup, file, line)
  end
end

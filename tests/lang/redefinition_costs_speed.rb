# Who asks for it is told that a built-in operation becomes slow: once, when the built-in one goes.
require "rbconfig"

def told(klass, method)
  program = "Warning[:performance] = true\nclass #{klass}\n  undef #{method}\n  def #{method}(*) = nil\nend"
  IO.popen([RbConfig.ruby, "-", err: %i[child out]], "r+") { |io| io.write(program); io.close_write; io.read }
end

told("Integer", "&") # => "-:3: warning: Redefining 'Integer#&' disables interpreter and JIT optimizations\n"
told("NilClass", "===") # => "-:3: warning: Redefining 'NilClass#===' disables interpreter and JIT optimizations\n"
told("Array", "max") # => "-:3: warning: Redefining 'Array#max' disables interpreter and JIT optimizations\n"
told("Hash", "fetch") # => ""

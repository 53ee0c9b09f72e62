# Constants of other kinds that stand where a library wants to define its classes.
require "rbconfig"
def run(program) = IO.popen([RbConfig.ruby, "--disable=gems", "-e", program, err: [:child, :out]], &:read)
run('BasicSocket = 1; begin; require "socket"; rescue TypeError => e; puts e.message; end') # => "BasicSocket is not a class (Integer)\n"
run('BasicSocket = Module.new; begin; require "socket"; rescue TypeError => e; puts e.message; end') # => "BasicSocket is not a class (Module)\n"
run('Socket = Class.new(String); begin; require "socket"; rescue TypeError => e; puts e.message; end') # => "superclass mismatch for class Socket\n"

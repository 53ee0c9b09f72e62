# Warnings of -w about numbers that no Float can hold.
require "rbconfig"
def warnings(program)
  IO.popen([RbConfig.ruby, "-w", "--disable=gems", "-e", program, err: [:child, :out]], &:read).scan(/warning: (.*)/)
    .flatten
end
warnings('"1e400".to_f') # => ["Float 1e400 out of range"]
warnings('"-1e400".to_f; "1e-400".to_f; "2e-324".to_f') # => ["Float -1e400 out of range", "Float 1e-400 out of range", "Float 2e-324 out of range"]
warnings('"4.9e-324".to_f; "1e-310".to_f; "0e400".to_f; "0x1p2000".to_f; "x1e400".to_f') # => []
warnings('"1e999x".to_f; " 1e400 ".to_f') # => ["Float 1e999 out of range", "Float 1e999 out of range", "Float 1e400 out of range", "Float 1e400 out of range"]
warnings('"1_0e400".to_f; "1e40000000000".to_f') # => ["Float 10e400 out of range", "Float 1e40000000000 out of range"]
warnings('("1" * 400).to_f; "0.11111111111111111111111111111111e500".to_f') # => ["Float 11111111111111111111... out of range", "Float 0.111111111111111111... out of range"]
warnings('Float("1e400"); Float("0x1p1024"); Float("-0x1p-5000")') # => ["Float 1e400 out of range", "Float 0x1p1024 out of range", "Float -0x1p-5000 out of range"]
warnings('begin; Float("1e400xx"); rescue ArgumentError; end') # => ["Float 1e400 out of range"]
warnings('Float(" 1e400 ", exception: false); Float("1e400x", exception: false)') # => ["Float 1e400 out of range", "Float 1e400 out of range", "Float 1e400 out of range"]
warnings('"1e400i".to_c; Complex(" 1e400 "); "1e400".to_r') # => ["Float 1e400 out of range", "Float 1e400 out of range"]
warnings("x = 10**400; x.to_f; Float(x); p x / 1.0, 2.0 * x") # => ["Integer out of Float range", "Integer out of Float range", "Integer out of Float range", "Integer out of Float range"]
warnings("x = 10**400; p x + 1.0, x - 1.0, x * 1.0, 1.0 + x; x.coerce(1.0); x ** 0.5") # => ["possibly useless use of ** in void context", "Integer out of Float range", "Integer out of Float range", "Integer out of Float range", "Integer out of Float range", "Integer out of Float range", "Integer out of Float range"]
warnings("x = 10**400; p x <=> 1.0, x == 1.0, 1.0 < x, x.fdiv(1), x.fdiv(1e10), Math.sqrt(4)") # => []

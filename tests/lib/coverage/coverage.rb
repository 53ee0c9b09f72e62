# Coverage of lines
require "coverage"
require "tmpdir"

dir = Dir.mktmpdir
file = File.join(dir, "a.rb")
File.write(file, "a = 1\nif a\n  b = 2\nelse\n  c = 3\nend\ndef m\n  4\nend\n\nm\nm\n")

Coverage.running? # => false
Coverage.result # raises RuntimeError: coverage measurement is not enabled
Coverage.start # => nil
Coverage.start # raises RuntimeError: coverage measurement is already setup
load file
Coverage.peek_result.keys == [file] # => true
Coverage.result[file] # => [1, 1, 1, nil, 0, nil, 1, 2, nil, nil, 1, 1]
Coverage.running? # => false
Coverage.start(42) # raises TypeError: no implicit conversion of Integer into Hash
Coverage.start(lines: true, oneshot_lines: true) # raises RuntimeError: cannot enable lines and oneshot_lines simultaneously
Coverage.start(oneshot_lines: true)
load file
Coverage.result[file][:oneshot_lines].sort # => [1, 2, 3, 7, 8, 11, 12]
Coverage.line_stub(file) # => [0, 0, 0, nil, 0, nil, 0, 0, nil, nil, 0, 0]
Coverage.supported?(:lines) # => true
Coverage.supported?("lines") # raises TypeError: wrong argument type String (expected Symbol)
File.delete(file)
Dir.rmdir(dir)

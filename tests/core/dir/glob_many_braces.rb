# Alternatives are expanded one after the other: their number takes no memory, and a search ends in time.
require "timeout"
began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
Timeout.timeout(0.3) { Dir.glob("{a,b}" * 40) } # raises Timeout::Error: execution expired
Timeout.timeout(0.3) { File.fnmatch("{a,b}" * 40, "c", File::FNM_EXTGLOB) } # raises Timeout::Error: execution expired
(Process.clock_gettime(Process::CLOCK_MONOTONIC) - began < 10) # => true

# Groups within groups, and paths of many parts, on the stack of a fiber.
deep = "{" * 3000 + "a" + "}" * 3000
Fiber.new { File.fnmatch(deep, "a", File::FNM_EXTGLOB) }.resume # => true
Fiber.new { Dir.glob(deep) }.resume # => []
Fiber.new { Dir.glob("./" * 2000).size }.resume # => 1
Fiber.new { Dir.glob("{./,../}" * 4 + "*").size > 16 }.resume # => true
parts = "a/" * 100_000 + "b"
Fiber.new { File.fnmatch(parts, parts, File::FNM_PATHNAME) }.resume # => true
Fiber.new { File.fnmatch("**/a/" * 20_000 + "b", parts, File::FNM_PATHNAME) }.resume # => true
Fiber.new { File.fnmatch("**/a/" * 2000 + "c", "a/" * 3000 + "b", File::FNM_PATHNAME) }.resume # => false

brace = ->(pattern, name) { File.fnmatch(pattern, name, File::FNM_EXTGLOB) }
%w[xay xby xcy xdy xy].map { |name| brace.call("x{a,{b,c},}y", name) } # => [true, true, true, false, true]
["{a", "a}", "{a{b,c}", "a,b"].map { |pattern| brace.call(pattern, pattern) } # => [false, true, false, true]
brace.call("{a\\,b,c}", "a,b") # => true
brace.call("{a,b}{c,d}", "bd") # => true
cross = ->(pattern, path) { File.fnmatch(pattern, path, File::FNM_PATHNAME) }
cross.call("**/a/*/**/b", "x/a/y/z/b") # => true
cross.call("**/a/**/b", "x/a/.y/b") # => false
cross.call("**/.a/**/b", "x/.a/y/b") # => true
cross.call("**/?/c/**/d", "a/b/c/e/d") # => true

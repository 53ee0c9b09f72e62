# `sub`, `gsub`, `chop` and `chomp` of `$_` are there under -n and -p only.
require "open3"
require "rbconfig"
def run(*switches, program)
  Open3.capture2e(RbConfig.ruby, "--disable=gems", *switches, "-e", program, stdin_data: "text t\nsecond\n").first
end
run("-p", 'gsub(/t/, "T")') # => "TexT T\nsecond\n"
run("-p", 'sub("t", "X")') # => "Xext t\nsecond\n"
run("-p", 'gsub(/t/) { |m| m.upcase + $~[0] }') # => "TtexTt Tt\nsecond\n"
run("-p", 'gsub(/t/, "t" => "Q")') # => "QexQ Q\nsecond\n"
run("-p", "chop") # => "text tsecond"
run("-p", "chomp") # => "text tsecond"
run("-n", 'puts chomp("d\n")') # => "text t\nsecon\n"
run("-p", '[1].each { gsub(/t/, "L") }') # => "LexL L\nsecond\n"
run("-n", 'p sub(/zzz/, "b").equal?($_)') # => "true\ntrue\n"
run("-n", "p Kernel.private_method_defined?(:gsub), Kernel.respond_to?(:gsub), respond_to?(:chop), method(:sub).owner") # => "true\ntrue\nfalse\nKernel\ntrue\ntrue\nfalse\nKernel\n"
run("-n", "p method(:sub).arity, method(:chop).arity, method(:chomp).arity") # => "-1\n0\n-1\n-1\n0\n-1\n"
run("-n", 'begin; $_ = nil; chop; rescue => e; p e.class, e.message; end') # => "TypeError\n\"$_ value need to be String (nil given)\"\nTypeError\n\"$_ value need to be String (nil given)\"\n"
run("-n", 'begin; $_ = 5; sub(/a/, "b"); rescue => e; p e.class, e.message; end') # => "TypeError\n\"$_ value need to be String (Integer given)\"\nTypeError\n\"$_ value need to be String (Integer given)\"\n"
run("-n", 'begin; sub(/x/); rescue => e; p e.class, e.message; end') # => "ArgumentError\n\"wrong number of arguments (given 1, expected 2)\"\nArgumentError\n\"wrong number of arguments (given 1, expected 2)\"\n"
run("p Kernel.private_method_defined?(:gsub)") # => "false\n"

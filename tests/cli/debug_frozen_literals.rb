# --debug-frozen-string-literal: a literal that must not be changed says where it was made.
require "rbconfig"
def run(*words) = IO.popen([RbConfig.ruby, "--disable=gems", *words, err: %i[child out]], &:read).lines(chomp: true)

frozen, program = "--enable-frozen-string-literal", "# 1\ndef text = 'a'\ntext << 'b'"
run(frozen, "-e", program).first # => "-e:3:in '<main>': can't modify frozen String: \"a\" (FrozenError)"
run(frozen, "--debug-frozen-string-literal", "-e", program).first # => "-e:3:in '<main>': can't modify frozen String: \"a\", created at -e:2 (FrozenError)"
run(frozen, "--debug=frozen-string-literal", "-e", program).first.include?("created at -e:2") # => true
run(frozen, "--debug", "-e", program).any? { it.include?("created at -e:2") } # => true
run(frozen, "--debug-frozen-string-literal", "-e", "p text = 'a', text.equal?('a'), -'a', eval('\"x\".equal?(\"x\")')") # => ["\"a\"", "false", "\"a\"", "false"]

run("-W:deprecated", "-e", program) # => ["-e:3: warning: literal string will be frozen in the future (run with --debug-frozen-string-literal for more information)"]
run("-W:deprecated", "--debug-frozen-string-literal", "-e", program) # => ["-e:3: warning: literal string will be frozen in the future", "-e:2: info: the string was created here"]
run("--disable-frozen-string-literal", "--debug-frozen-string-literal", "-W:deprecated", "-e", program) # => []
run("--debug-frozen-string-literal", "-e", "p __FILE__, ['a', \"b\#{1}\", {'k' => 'v'}], 'a'.instance_variables, 'a'.frozen?, :ok.to_proc.call(Struct.new(:ok).new(1))") # => ["\"-e\"", "[\"a\", \"b1\", {\"k\" => \"v\"}]", "[]", "false", "1"]

# So does code that is compiled with such options.
code = RubyVM::InstructionSequence.compile("x = 1\n'a'", "made.rb", "made.rb", 5, frozen_string_literal: true,
                                           debug_frozen_string_literal: true)
code.eval.frozen? # => true
code.eval << "b" # raises FrozenError: can't modify frozen String: "a", created at made.rb:6
eval("'a'").frozen? # => false

# What the handlers at the end of a program come to, in which order it is told, and the status.
require "rbconfig"
def run(program)
  IO.popen([RbConfig.ruby, "--disable=gems", "-e", program, err: %i[child out]], &:read).lines(chomp: true) <<
    $?.exitstatus
end

run("at_exit { return }") # => ["-e: unexpected return", 1]
run("at_exit { [1].each { return } }; at_exit { warn 2 }") # => ["2", "-e: unexpected return", 1]
run("def m = at_exit { return }\nm") # => ["-e:1:in 'block in Object#m': unexpected return (LocalJumpError)", 1]
run("END { n }; END { return }").grep(/return|Error/).map { it[/unexpected return|undefined .* 'n'/] } # => ["unexpected return", "undefined local variable or method 'n'"]

# The handler of trap("EXIT") runs first; what it raised is told last, and decides.
run("trap(:EXIT) { raise 'trap' }; at_exit { raise 'one' }; at_exit { p $!; raise 'two' }").grep(/nil|Error/) # => ["nil", "-e:1:in 'block in <main>': two (RuntimeError)", "-e:1:in 'block in <main>': one (RuntimeError)", "-e:1:in 'block in <main>': trap (RuntimeError)"]
run("trap(:EXIT) { exit 3 }; at_exit { exit 4 }") # => [3]
run("trap(:EXIT) { puts 1 }; at_exit { exit 4 }") # => ["1", 4]
run("trap(:EXIT) { puts 1 }; at_exit { p $! }; raise 'main'").grep(/Error/) # => ["#<RuntimeError: main>", "-e:1:in '<main>': main (RuntimeError)"]

require "rbconfig"
def ruby(*args, input: "")
  IO.popen([RbConfig.ruby, *args, err: [:child, :out]], "r+") do |io|
    io.write(input)
    io.close_write
    io.read
  end
end
ruby("-e", "puts 1", "-e", "puts 2") # => "1\n2\n"
ruby("-e", "p ARGV", "a", "-b") # => "[\"a\", \"-b\"]\n"
ruby("-e", "p $0, __FILE__, __LINE__") # => "\"-e\"\n\"-e\"\n1\n"
ruby("-", "x", input: "p ARGV, $0") # => "[\"x\"]\n\"-\"\n"
ruby(input: "puts 'from stdin'") # => "from stdin\n"
ruby("-e", "exit 3") # => ""
$?.exitstatus # => 3
ruby("-e", "raise 'oops'").lines.first # => "-e:1:in '<main>': oops (RuntimeError)\n"
$?.exitstatus # => 1
ruby("-e", "abort 'msg'") # => "msg\n"
$?.exitstatus # => 1
ruby("-e", "exit!(4)") # => ""
$?.exitstatus # => 4
ruby("-e", "Process.kill(:KILL, $$)") # => ""
$?.termsig # => 9
ruby("-e", "$stderr.puts 'err'; $stdout.puts 'out'") # => "err\nout\n"
ruby("-e", "def m = raise(ArgumentError, 'bad'); m").lines.map { |l| l[/in .*/] } # => ["in 'Object#m': bad (ArgumentError)", "in '<main>'"]
ruby("-e", "raise SystemExit").empty? # => true
ruby("-e", "throw :x").lines.first # => "-e:1:in 'Kernel#throw': uncaught throw :x (UncaughtThrowError)\n"
ruby("no_such_file.rb")[/No such.*/] # => "No such file or directory -- no_such_file.rb (LoadError)"
$?.exitstatus # => 1
ruby("-c", "-e", "1 + 1") # => "Syntax OK\n"
ruby("-c", "-e", "1 +").empty? # => false
$?.exitstatus # => 1
ruby("-x", "-e", "1").class # => String

# A fault ends the process by its signal, also one that another process has sent, and is reported before.
require "rbconfig"
require "tmpdir"
Process.setrlimit(Process::RLIMIT_CORE, 0)
define_method(:run) do |program, *arguments, report: nil, **options|
  reader, writer = IO.pipe
  environment = { "RUBY_CRASH_REPORT" => report, "RUBY_ON_BUG" => nil }
  pid = spawn(environment, RbConfig.ruby, "--disable=gems", "-e", program, *arguments, **options, err: writer,
              out: writer)
  writer.close
  text = reader.read
  [Process.wait2(pid)[1].termsig, text]
end

signal, text = run("def fall = Process.kill(:SEGV, $$)\nfall; sleep")
signal # => 11
lines = text.lines(chomp: true)
lines[0].match?(/\A-e:1: \[BUG\] Segmentation fault at 0x\h{16}\z/) # => true
lines[1] == RUBY_DESCRIPTION # => true
lines[2] # => ""
lines[3].match?(/\A-- Control frame information -+\z/) # => true
lines.grep(/\Ac:\d{4} .*fall/).size # => 1
run("Process.kill(:BUS, $$); sleep").then { |number, report| [number, report[/\[BUG\] [\w ]+ at/]] } # => [7, "[BUG] Bus Error at"]
run("Process.kill(:ILL, $$); sleep").then { |number, report| [number, report[/\[BUG\] [\w ]+ at/]] } # => [4, "[BUG] Illegal instruction at"]
run("Thread.new { Process.kill(:SEGV, $$); sleep }.join")[0] # => 11
run("fork { Process.kill(:SEGV, $$); sleep }.then { |pid| exit! Process.wait2(pid)[1].termsig == 11 }")[0] # => nil

# RUBY_CRASH_REPORT takes it elsewhere.
dir = Dir.mktmpdir
at_exit { system("rm", "-rf", dir) }
File.write("#{dir}/bug.rb", "Process.kill(:SEGV, $$); sleep")
run("load 'bug.rb'", report: "%e.%f.%%.log", chdir: dir)[0] # => 11
Dir.children(dir).sort == ["#{File.basename(RbConfig.ruby)}.-e.%.log", "bug.rb"].sort # => true
File.read("#{dir}/#{File.basename(RbConfig.ruby)}.-e.%.log").lines.size > 3 # => true
run("Process.kill(:SEGV, $$); sleep", report: "|cat > %p; echo read", chdir: dir).then { |number, text| [number, text] } # => [11, "read\n"]
Dir.children(dir).grep(/\A\d+\z/).map { File.read("#{dir}/#{it}")[/\[BUG\] [\w ]+ at/] } # => ["[BUG] Segmentation fault at"]
# One that cannot be opened does not.
run("Process.kill(:SEGV, $$); sleep", report: "/no/such/directory")[1][/\[BUG\] [\w ]+ at/] # => "[BUG] Segmentation fault at"

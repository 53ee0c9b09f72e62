# A running process is looked at from outside: `dump`, `top`, `record`.
# timeout: 120
require "json"
require "rbconfig"
require "tmpdir"

def rubellite(*words)
  IO.popen([RbConfig.ruby, *words.map(&:to_s), err: [:child, :out]], &:read)
end

PROGRAM = File.join(Dir.mktmpdir, "program.rb")
File.write(PROGRAM, <<~'RUBY')
  LOCK = Mutex.new
  def hold = LOCK.synchronize { sleep }
  def want = LOCK.synchronize { 1 }
  def compute = loop { 100.times { |i| i * i } }
  { holder: :hold, wanter: :want, computer: :compute }.each do |name, method|
    Thread.new { send(method) }.name = name.to_s
    sleep 0.05
  end
  trap(:TERM) { puts "ended as asked"; exit 7 }
  $stdout.sync = true
  puts "ready"
  Queue.new.pop
RUBY

def with_program(env = {})
  IO.popen([env, RbConfig.ruby, PROGRAM]) do |io|
    io.gets
    yield io.pid
    Process.kill(:TERM, io.pid)
    io.read
  end
end

said = with_program do |pid|
  text = rubellite("dump", pid)
  text.lines.first == "process #{pid}, 4 threads\n" # => true
  text[/^  holds mutex (0x\h+), for which wait: wanter$/].nil? # => false
  text[/^wanter .*: waits for a thread for .*\n  waits for mutex 0x\h+, which holder holds\n.*in 'Thread::Mutex#synchronize'\n.*program.rb:3:in 'Object#want'$/].nil? # => false
  text[/^main .*\n  waits for queue 0x\h+\n +.*program.rb:12:in 'Thread::Queue#pop'$/].nil? # => false

  threads = JSON.parse(rubellite("dump", "--json", pid))
  threads.map { |thread| thread["name"] } # => ["main", "holder", "wanter", "computer"]
  threads[2].values_at("held_by", "waits_for") == ["holder", threads[1]["holds"].first] # => true

  rubellite("top", "--once", "--delay=0.2", pid).lines[2][/ computer +.*program.rb:4:in/].nil? # => false
  top = JSON.parse(rubellite("top", "--once", "--json", "--delay=0.2", pid))
  top.first["name"] # => "computer"
  top.first["ran"].between?(0.3, 1.1) # => true

  rubellite("record", "--lock-report", "--duration=0.3", pid)[/-- lock report of .*looks --$/].nil? # => false
  page = "#{PROGRAM}.html"
  rubellite("record", "--lock-report", "-d", "0.2", "-o", page, pid) # => ""
  File.read(page).include?("Lock report") # => true
  rubellite("record", "--lock-report", "-d", "0.2", "-o", "/nonexistent/x.html", pid)[/x.html$/] # => "x.html"
  $?.exitstatus # => 2

  # One that is stopped would answer when it goes on.
  Process.kill(:STOP, pid)
  Thread.pass until File.read("/proc/#{pid}/stat")[/\) (.)/, 1] == "T"
  rubellite("dump", pid) == "rubellite dump: process #{pid} is stopped\n" # => true
  Process.kill(:CONT, pid)

  File.stat("/tmp/rubellite-#{Process.uid}").mode.to_s(8) # => "40700"
end
# The program has noticed nothing.
[said, $?.exitstatus] # => ["ended as asked\n", 7]

# Another signal, and none.
with_program({ "RUBELLITE_ATTACH_SIGNAL" => "50" }) { |pid| rubellite("dump", pid).lines.size > 10 } # => "ended as asked\n"
with_program({ "RUBELLITE_ATTACH_SIGNAL" => "0" }) do |pid|
  rubellite("dump", pid) == "rubellite dump: process #{pid} was started so that it cannot be looked at\n" # => true
end

# A number that cannot be kept is told of, and the program runs.
["abc", "11", "32", "65"].map { |number|
  IO.popen([{ "RUBELLITE_ATTACH_SIGNAL" => number }, RbConfig.ruby, "-e", "p 1", err: [:child, :out]], &:read)
}.each do |out|
  out[/\Arubellite: warning: RUBELLITE_ATTACH_SIGNAL: .+\n1\n\z/].nil? # => false
end
with_program({ "RUBELLITE_ATTACH_SIGNAL" => "abc" }) do |pid|
  rubellite("dump", pid) == "rubellite dump: process #{pid} was started so that it cannot be looked at\n" # => true
end

# Local variables are shown without calling any method.
File.write(PROGRAM, <<~'RUBY')
  class Loud
    def inspect = abort("called")
    alias to_s inspect
  end
  def outer(number, list, text: "t" * 100)
    table = { name: :value, "key" => 1.5 }
    object, unset = Loud.new
    1.times { |i| inner = i; $stdout.puts "ready"; sleep; [number, list, text, table, object, unset, inner] }
  end
  $stdout.sync = true
  trap(:TERM) { puts "ended as asked"; exit 7 }
  outer(10**30, (1..8).to_a)
RUBY
said = with_program do |pid|
  text = rubellite("dump", "--locals", pid)
  text[/^        inner = 0$/] # => "        inner = 0"
  shown = text[/in 'Object#outer'\n((?:        .*\n)*)/, 1].lines.to_h { |line| line.strip.split(" = ", 2) }
  shown["list"] # => "[1, 2, 3, 4, 5, ... 3 more]"
  shown["text"].count("t") # => 61
  shown["table"] # => "{name: :value, \"key\" => 1.5}"
  shown["object"] # => "#<Loud:0xXX>"
  shown.values_at("number", "unset") # => ["an Integer of 2 words", "nil"]
  locals = JSON.parse(rubellite("dump", "--locals", "--json", pid)).first["locals"]
  locals.find { |level| level.key?("i") } # => {"i" => "0", "inner" => "0"}
end
[said, $?.exitstatus] # => ["ended as asked\n", 7]

# Who has changed its user is of another user, as is who never was of this one.
if Process.uid.zero?
  pid = fork { Process::Sys.setuid(65_534); sleep }
  Thread.pass until File.read("/proc/#{pid}/status")[/^Uid:\t\d+\t(\d+)/, 1] == "65534"
  [["dump"], ["top", "--once"], ["record", "-d", "0.1"], ["record", "--lock-report", "-d", "0.1"]].map { |words| rubellite(*words, pid) == "rubellite #{words[0]}: process #{pid} belongs to another user\n" }.uniq # => [true]
  $?.exitstatus # => 2
  Process.kill(:KILL, pid)
  Process.wait(pid)
end

# A process that is none of ours is left alone; one that is gone; wrong words.
other = spawn("sleep", "30")
rubellite("dump", other) == "rubellite dump: process #{other} is no Rubellite that can be looked at\n" # => true
Process.kill(:KILL, other)
Process.wait(other)
rubellite("dump", other) == "rubellite dump: process #{other} does not exist\n" # => true
$?.exitstatus # => 2
rubellite("dump").lines.first # => "rubellite dump: the number of a process is missing\n"
rubellite("top", "x").lines.first # => "rubellite top: no process number: x\n"
rubellite("record", "--json", "1").lines.first # => "rubellite record: invalid option '--json'\n"
$?.exitstatus # => 2

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
  text[/^main .*\n +.*program.rb:12:in 'Thread::Queue#pop'$/].nil? # => false

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

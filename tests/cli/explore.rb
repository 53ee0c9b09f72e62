# timeout: 120
require "rbconfig"
require "tmpdir"

# The schedules alone are to decide where threads switch, and not the stress mode.
ENV.delete("RUBELLITE_STRESS")

def explore(*words)
  IO.popen([RbConfig.ruby, "explore", *words, err: [:child, :out]], &:read)
end

race = File.join(Dir.mktmpdir, "race.rb")
File.write(race, <<~'RUBY')
  class Account
    attr_reader :balance
    def initialize(balance) = @balance = balance
    def covers?(amount) = @balance >= amount
    def change(amount) = @balance += amount
    def withdraw(amount)
      return false unless covers?(amount)
      change(-amount)
      true
    end
  end
  account = Account.new(100)
  served = Array.new(3) { Thread.new { account.withdraw(60) } }.count(&:value)
  abort "#{served} were given 60 of 100" if account.balance.negative?
RUBY
found = explore("--seeds=120", race)
$?.exitstatus # => 1
found[/^120 seeds, [1-9]\d* failed, status 1$/].nil? # => false
found[/^shortest: seed \d+ with [1-9] forced switch(es)?: status 1$/].nil? # => false
found[/\| .*were given/].nil? # => false

# What happened: a column for each thread, the lines, the forced switch, the variable that was touched on both sides of
# it.
found[/^what happened: .*@balance of Account.*$/].nil? # => false
found[/^what happened: Between the read of @balance of Account by the thread of .*race\.rb:13.* at race\.rb:4 and its write at race\.rb:5 a switch was forced: .* did a write of it at race\.rb:5\.$/].nil? # => false
found[/^ {10,} \| race\.rb:13 \(1\) +\| race\.rb:13 \(2\)/].nil? # => false
found[/^ >> race\.rb:\d+ +\|.*/].nil? # => false
found.scan(/^(?: >>|   ) race\.rb:5 +\|.*def change/).size >= 2 # => true
found[/^ >> behind a forced switch$/] # => " >> behind a forced switch"

# The same as a page, which needs nothing else.
page = File.join(File.dirname(race), "page.html")
explore("--seeds=120", "--html=#{page}", race).lines.last == "page:     #{page}\n" # => true
text = File.read(page)
text.include?('"summary":"Between the read of @balance') && text.include?('"forced":true') && text.include?("def change(amount) = @balance += amount") # => true
text.match?(%r{(?:src|href)="(?!data:)}) # => false
explore("--seeds=1", "--html=/nonexistent/x.html", race) # => "rubellite explore: /nonexistent/x.html: No such file or directory\n"
$?.exitstatus # => 2
explore("--seeds=2", "--html=/dev/full", "-e", "exit 7").lines.last # => "rubellite explore: /dev/full: No space left on device\n"
$?.exitstatus # => 2

explore("--seeds=2", "--html=#{page}", "-e", "7") # => "2 seeds, 0 failed\n"
File.exist?(page) # => false

# With --races a run fails in which a race is found, whatever comes of it.
quiet = File.join(File.dirname(race), "quiet.rb")
File.write(quiet, "n = 0\nArray.new(2) { Thread.new { n += 1 } }.each(&:join)\n")
explore("--seeds=3", "--races", quiet).then { |out| [out.lines.first, out[/^what happened: .*$/].nil?, out[/-- race on .* --/]] } # => ["3 seeds, 3 failed, status 1\n", false, "-- race on local variable n --"]
explore("--seeds=3", quiet).lines.first # => "3 seeds, 0 failed\n"

# What it says replays the failure, each time.
schedule = found[/^replay: .*--schedule=(\S+)/, 1]
Array.new(10) { IO.popen([RbConfig.ruby, "--schedule=#{schedule}", race, err: [:child, :out]], &:read) }.uniq.size # => 1
$?.exitstatus # => 1

explore("--seeds=3", "-e", "Thread.new { 1 }.join") # => "3 seeds, 0 failed\n"
$?.exitstatus # => 0
explore("--seeds=2", "-e", "exit 7").lines.first # => "2 seeds, 2 failed, status 7\n"
explore("--seeds=2", "-e", "Process.kill(:KILL, $$)").lines.first # => "2 seeds, 2 failed, signal 9\n"
explore("--seeds=1", "--timeout=1", "-e", "r, w = IO.pipe; r.read").lines.first # => "1 seeds, 1 failed, no end within the timeout\n"
explore("--seeds=40", "--output", "-e", "def go = nil; 2.times.map { |i| Thread.new { 20.times { go }; print i } }.each(&:join)").lines.first[/[1-9]\d* failed, status 0/].nil? # => false

# Wrong words are answered with the reason and the usage, before anything runs.
explore("--help").lines.first # => "Usage: rubellite explore [options] [options of Ruby] FILE [arguments]\n"
$?.exitstatus # => 0
explore("--seeds=x", "-e", "1").lines.values_at(0, 2) # => ["rubellite explore: --seeds needs a number that is at least 1, not \"x\"\n", "Usage: rubellite explore [options] [options of Ruby] FILE [arguments]\n"]
$?.exitstatus # => 2
explore("--seeds", "0", "-e", "1").lines.first # => "rubellite explore: --seeds needs a number that is at least 1, not \"0\"\n"
explore("--sedes=3", "-e", "1").lines.first # => "rubellite explore: invalid option --sedes  (-h will show valid options)\n"
$?.exitstatus # => 2
explore("--output=1", "-e", "1").lines.first # => "rubellite explore: unexpected argument for option '--output': \"1\"\n"
explore("-w").lines.first # => "rubellite explore: no program\n"
explore.lines.first # => "rubellite explore: no program\n"

# A program that is not there, or that can be read but once, is told of before anything runs.
explore("--seeds=100000", "/nonexistent/x.rb") # => "rubellite explore: No such file or directory -- /nonexistent/x.rb\n"
$?.exitstatus # => 2
explore("--seeds=100000", "/") # => "rubellite explore: Is a directory -- /\n"
explore("-").lines.first # => "rubellite explore: a program that is read from standard input cannot be run again and again\n"
$?.exitstatus # => 2

# Whoever reads what it says may have had enough; what cannot be written is told of, and no bug of ours.
IO.popen([RbConfig.ruby, "explore", "--seeds=2", "-e", "exit 7", err: [:child, :out]]) { |io| io.close }
$?.exitstatus # => 1
IO.popen("#{RbConfig.ruby.dump} explore --seeds=2 -e 'exit 7' 2>&1 >/dev/full", &:read) # => "rubellite explore: No space left on device -- standard output\n"
$?.exitstatus # => 2
IO.popen("#{RbConfig.ruby.dump} dump 4194305 2>/dev/full", &:read) # => ""
$?.exitstatus # => 2
IO.popen("#{RbConfig.ruby.dump} top --nothing 2>&-", &:read) # => ""
$?.exitstatus # => 2
%w[--version --copyright --help -c --dump=insns].map { |word| IO.popen("#{RbConfig.ruby.dump} #{word} -e 1 2>&1 >/dev/full", &:read) }.uniq # => [""]

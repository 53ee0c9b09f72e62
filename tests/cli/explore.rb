# timeout: 120
require "rbconfig"
require "tmpdir"

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

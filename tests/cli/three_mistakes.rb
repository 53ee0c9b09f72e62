# The example with three mistakes: each is named, with its file and line, by the command that its head tells of.
# timeout: 240
require "json"
require "rbconfig"

EXAMPLE = File.expand_path("../fixtures/examples/three_mistakes.rb", __dir__)
SOURCE = File.readlines(EXAMPLE)

# A line of the example as commands name it.
def at(code)
  number = SOURCE.index { |line| line.strip == code } or abort "the example has no line #{code}"
  "three_mistakes.rb:#{number + 1}"
end

def told(*words, seconds: 2)
  IO.popen({ "SECONDS" => seconds.to_s }, [RbConfig.ruby, *words, EXAMPLE, err: [:child, :out]], &:read)
end

# The lock hog is named by the first line of the report. Where other programs keep the processors busy, that may be what
# threads waited for: then once more.
hog = at("copy = PRICES.dup")
# What `yield` answers, of up to five times the first that the block `fits` likes, or the last.
def tried(fits)
  5.times.lazy.map { yield }.each_with_index.find { |answer, i| fits.(answer) || i == 4 }[0]
end
report = tried(->(text) { text[/^`.*/].to_s.include?(hog) && text.include?("`dup` there does not give way") }) do
  told("--lock-report")
end
report[/^`(?:.*\/)?(three_mistakes\.rb:\d+)` held the lock [\d.]+ % of the time; \d+ waits? of over 5 ms w/, 1] == hog # => true
report.match?(/`dup` there does not give way while it runs/) # => true

# The unfair queue: who keeps the turn, at which line, and who waits for it where.
turn = at("@turn.synchronize do")
IO.popen({ "SECONDS" => "60" }, [RbConfig.ruby, EXAMPLE]) do |io|
  pid = io.gets[/\d+/]
  sleep 0.3
  # A look may fall between two moments.
  kept_by = ->(rows) { rows.filter_map { |row| row[/waits for a mutex +(?:ann|bob|cy) +(ann|bob|cy) /, 1] } }
  at_work = ->(rows) {
    rows.find { |row| row.match?(/ #{kept_by.(rows)[0]} +\S*three_mistakes/) }.to_s[/three_mistakes\.rb:(\d+)/, 1].to_i
  }
  works = ->(rows) { SOURCE[at_work.(rows) - 1].match?(/@requests\.pop|clock|@sold|account|@income|closed|seconds/) }
  rows = tried(->(seen) { kept_by.(seen).size == 2 && works.(seen) }) do
    `#{RbConfig.ruby} top --once --delay=0.3 #{pid}`.lines
  end
  keeper = kept_by.(rows)
  keeper.size # => 2
  keeper.uniq.size # => 1
  rows.count { |row| row.match?(/waits for a mutex .*#{turn}:in/) } # => 2
  works.(rows) # => true

  behind = ->(threads) {
    threads.filter_map do |thread|
      thread["behind"] if %w[ann bob cy].include?(thread["name"]) && thread["at"].include?(turn)
    end
  }
  threads = tried(->(seen) { behind.(seen).uniq == keeper.uniq }) do
    JSON.parse(`#{RbConfig.ruby} top --once --json --delay=0.3 #{pid}`)
  end
  behind.(threads).uniq == keeper.uniq # => true

  stack = `#{RbConfig.ruby} dump #{pid}`[/^#{keeper[0]} .*?(?=^\S|\z)/m]
  stack[/holds mutex 0x\h+, for which wait: (.*)$/, 1].split(", ").sort == %w[ann bob cy] - keeper # => true
  stack.match?(/#{turn}:in 'Thread::Mutex#synchronize'/) # => true
  Process.kill(:KILL, pid.to_i)
end

# The race: both sides stand at the line, and their stacks say how they come there.
races = told("races", seconds: 1)
sum = at("@income += amount")
races.scan(/^-- race on (.*) --$/) # => [["@income of Office"]]
races.scan(/^(?:read|write) by .*\n +\S*?(three_mistakes\.rb:\d+):in 'Office#account'/) == [[sum], [sum]] # => true
races.match?(/#{at("account(-1) until closed?(0.003)")}:in 'Office#pay_rent'/) # => true
races.match?(/#{at("account(PRICES[seat])")}:in 'block in Office#sell'/) # => true

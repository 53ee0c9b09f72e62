# `rubellite top PID` on a terminal: a screen with keys, which puts the terminal back however it ends.
# timeout: 480
require "io/console"
require "pty"
require "rbconfig"
require "tmpdir"

# A terminal of so many rows and columns as far as the screen uses it: places, colours,
# and which of the two pages is shown.
class Terminal
  attr_reader :status, :after

  def initialize(*words, rows: 30, columns: 120)
    @reader, @writer, @pid = PTY.spawn(RbConfig.ruby, *words.map(&:to_s))
    @reader.winsize = [rows, columns]
    @rest, @after = "".b, +""
    clear
  end

  def clear
    @lines = []
    @row = @column = 1
  end

  def lines = @lines.drop(1).map { |line| line.to_s.rstrip }
  def text = lines.join("\n")
  def press(keys) = @writer.write(keys)
  def resize(rows, columns) = @reader.winsize = [rows, columns]
  def signal(name) = Process.kill(name, @pid)

  # Reads until the block is true of the text that the screen shows; false: the end came before.
  def until
    until yield(text)
      return false unless read
    end
    true
  end

  # Reads to the end: what was written behind the screen, and the status.
  def close
    nil while read
    _, @status = Process.wait2(@pid)
    [@after.gsub(/\e\[[?\d;]*[a-zA-Z]/, "").strip, @status.exitstatus, @alternate]
  end

  private

  def read
    @rest << @reader.readpartial(65_536)
    while (token = @rest.slice!(/\A(?:\e\[[?\d;]*[a-zA-Z]|\e[()][A-Z0-9]|\e[=>78]|[^\e]+)/n))
      take(token)
    end
    true
  rescue EOFError, Errno::EIO
    false
  end

  def take(token)
    case token
    when /\A\e\[(\d+);(\d+)H/ then @row, @column = $1.to_i, $2.to_i
    when /\A\e\[2J/ then clear
    when /\A\e\[\?1049([hl])/
      @alternate = $1 == "h"
      clear
    when /\A\e/ then nil
    else
      @after << token if @alternate == false
      token.force_encoding("UTF-8")
      line = (@lines[@row] ||= +"")
      line << " " * (@column - 1 - line.size) if line.size < @column - 1
      line[@column - 1, token.size] = token
      @column += token.size
    end
  end
end

PROGRAM = File.join(Dir.mktmpdir, "program.rb")
File.write(PROGRAM, <<~'RUBY')
  LOCK = Mutex.new
  def hold = LOCK.synchronize { sleep }
  def want = LOCK.synchronize { 1 }
  def compute = loop { 100.times { |i| i * i } }
  holder = Thread.new { hold }
  Thread.pass until LOCK.locked?
  holder.name = "a-holder"
  wanter = Thread.new { want }
  Thread.pass until wanter.status == "sleep"
  wanter.name = "b-wanter"
  Thread.new { compute }.name = "z-computer"
  $stdout.sync = true
  puts "ready"
  $stdin.read
RUBY

def with_program
  IO.popen([RbConfig.ruby, PROGRAM], "r+") do |io|
    io.gets
    yield io.pid, io
    io.close_write
  end
end

def row(name) = ->(text) { text[/^.*#{name}.*$/].to_s }

with_program do |pid, _|
  top = Terminal.new("top", "--delay=0.2", pid)
  # Who has the lock, at which line; who waits behind whom.
  top.until { |text| text.match?(/^ *\d\d+\.\d% .*z-computer.*program\.rb:4:in/) } # => true
  top.until { |text| text.match?(/b-wanter +waits for a mutex +a-holder +\S*program\.rb:3:in/) } # => true
  top.lines[0].start_with?("rubellite top  process #{pid}  ") # => true
  top.text.match?(/^lock held .* queue \d+ .*threads 4 +collections \d+/) # => true

  # Sorted by name, the thread at the top is chosen, then the next: its stack is shown, whole.
  top.press("n")
  top.until { |text| text.match?(/THREAD\*/) && text.lines[3].include?("a-holder") } # => true
  top.press("jj\r")
  top.until { |text| text.include?("stack of b-wanter") && text.include?("in 'Object#want'") && text.include?("in 'Thread::Mutex#synchronize'") } # => true
  top.press("\r")
  top.until { |text| !text.include?("stack of") } # => true

  top.press("?")
  top.until { |text| text.include?("enter     show its stack, or hide it") } # => true
  top.press("\e")
  top.until { |text| !text.include?("show its stack, or hide it") } # => true
  top.press("p")
  top.until { |text| text.lines[0].include?("paused") } # => true
  top.press("pw")
  top.until { |text| text.match?(/every 0\.2 s, by time waited/) } # => true

  # A narrow screen has fewer columns, and is drawn anew.
  top.text.include?("WAITS ") # => true
  top.resize(12, 70)
  top.until { |text| text.include?("WAITED") && !text.include?("WAITS ") && text.lines.size <= 12 } # => true

  top.press("q")
  top.close # => ["", 0, false]

  # A signal puts the terminal back, too; so does the key of the same meaning.
  ended = %w[INT TERM].map do |name|
    top = Terminal.new("top", pid)
    top.until { |text| text.include?("z-computer") }
    top.signal(name)
    top.close
  end
  ended # => [["", 130, false], ["", 143, false]]
  top = Terminal.new("top", pid)
  top.until { |text| text.include?("z-computer") }
  top.press("\x03")
  top.close # => ["", 0, false]

  # Once, and for programs, it prints, also on a terminal.
  top = Terminal.new("top", "--once", "--delay=0.1", pid)
  top.until { |text| text.include?("z-computer") } # => true
  top.close[1] # => 0
end

# The process ends.
with_program do |pid, io|
  top = Terminal.new("top", "--delay=0.2", pid)
  top.until { |text| text.include?("z-computer") } # => true
  io.close_write
  top.close == ["rubellite top: process #{pid} has ended", 0, false] # => true
end

# There is none from the beginning: the terminal is left as it was.
top = Terminal.new("top", 2**31 - 1)
top.until { |text| text.include?("does not exist") } # => true
top.close[1..] # => [2, nil]

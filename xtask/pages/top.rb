# Looks at the screen of `rubellite top`, painted as a page: `ruby top.rb CHROMIUM [DIRECTORY FOR SCREENSHOTS]`. The
# process is the example with three mistakes. What keys do is tested in `tests/cli/top_screen.rb`; here it is seen that
# rows, colours and frames lie where they should.
require_relative "look"
require "cgi"
require "io/console"
require "pty"

ROWS = 22
COLUMNS = 118
EXAMPLE = "examples/three_mistakes.rb"

# A terminal: a grid of characters with their colours, as far as the screen uses it.
class Grid
  # The names of the colours 30 to 37.
  COLOURS = %w[black red green yellow blue magenta cyan white].freeze

  def initialize = clear

  def clear
    @cells = Array.new(ROWS) { Array.new(COLUMNS) { [" ", []] } }
    @row = @column = 0
    @style = []
  end

  def text = @cells.map { |row| row.map(&:first).join.rstrip }.join("\n")

  def html
    lines = @cells.map do |row|
      row.chunk_while { |one, other| one[1] == other[1] }.map do |run|
        %(<span class="#{run[0][1].join(" ")}">#{CGI.escapeHTML(run.map(&:first).join)}</span>)
      end.join
    end
    lines.join("\n")
  end

  # Takes what it can of the bytes, and leaves an unfinished sequence.
  def take(bytes)
    while (token = bytes.slice!(/\A(?:\e\[[?\d;]*[a-zA-Z]|\e[()][A-Z0-9]|\e[=>78]|[^\e]+)/n))
      case token
      when /\A\e\[(\d+);(\d+)H/ then @row, @column = $1.to_i - 1, $2.to_i - 1
      when /\A\e\[2J|\A\e\[\?1049/ then clear
      when /\A\e\[([\d;]*)m/ then style($1.split(";").map(&:to_i))
      when /\A\e/ then nil
      else put(token.force_encoding("UTF-8"))
      end
    end
  end

  private

  def style(codes)
    codes = [0] if codes.empty?
    # Colours by number: 38;5;n.
    while (code = codes.shift)
      case code
      when 0 then @style = []
      when 1 then @style |= ["bold"]
      when 2 then @style |= ["dim"]
      when 7 then @style |= ["reversed"]
      when 27 then @style -= ["reversed"]
      when 22 then @style -= %w[bold dim]
      when 30..37 then colour(COLOURS[code - 30])
      when 38 then codes.shift == 5 ? colour(COLOURS[codes.shift % 8]) : codes.shift(3)
      when 39 then colour(nil)
      end
    end
  end

  def colour(name) = @style = (@style - COLOURS) + [name].compact

  def put(text)
    text.each_char do |char|
      @cells[@row][@column] = [char, @style] if @row < ROWS && @column < COLUMNS
      @column += 1
    end
  end
end

PAGE = <<~'HTML'
  <!doctype html>
  <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
  <meta name="color-scheme" content="light dark"><title>rubellite top</title>
  <style>
    body {
      margin: 0; padding: 12px; background: light-dark(#fdfdfd, #16181d); color: light-dark(#1c1e21, #d8dbe0);
      overflow-x: hidden;
    }
    pre { margin: 0; font: 15px/1.3 "DejaVu Sans Mono", monospace; overflow-x: auto; }
    .bold { font-weight: bold; } .dim { opacity: .65; }
    .red { color: light-dark(#b3261e, #ff8a80); } .blue { color: light-dark(#1a56c4, #8ab4f8); }
    .reversed { background: light-dark(#1c1e21, #d8dbe0); color: light-dark(#fdfdfd, #16181d); }
  </style>
  <pre id="screen">%s</pre></html>
HTML

def screen_of(pid)
  grid = Grid.new
  reader, writer, top = PTY.spawn(RbConfig.ruby, "top", "--delay=0.5", pid.to_s)
  reader.winsize = [ROWS, COLUMNS]
  bytes = "".b
  # The second look shows shares of the lock; the stack of the thread that keeps the turn is opened below.
  read = ->(&done) {
    Timeout.timeout(60) { until done.call(grid.text); bytes << reader.readpartial(65_536); grid.take(bytes); end }
  }
  read.call { |text| text.match?(/waits for a mutex/) && text.match?(/ +[1-9]\d*\.\d% .*prices/) }
  keeper = grid.text[/waits for a mutex +(ann|bob|cy)/, 1]
  writer.write("n")
  read.call { |text| text.match?(/THREAD\*/) }
  # Sorted by name, the clerks and the rest: down to the one that has the turn.
  names = grid.text.lines.filter_map { |line| line[/^ *\d+\.\d% +\d+\.\d% +\d+ +(\w+)/, 1] }
  writer.write("j" * (names.index(keeper) + 1) << "\r")
  read.call { |text| text.include?("stack of #{keeper}") && text.include?("synchronize") }
  [grid, writer, top]
end

write = lambda do |page|
  Dir.chdir(File.expand_path("../..", __dir__)) do
    IO.popen({ "SECONDS" => "120" }, [RbConfig.ruby, EXAMPLE]) do |io|
      pid = io.gets[/\d+/]
      grid, writer, top = screen_of(pid)
      File.write(page, format(PAGE, grid.html))
      writer.write("q")
      Process.wait(top)
      Process.kill(:KILL, pid.to_i)
    end
  end
end

look_at("top", "top.html", write:) do |browser|
  text = browser.evaluate("document.getElementById('screen').textContent")
  check("two clerks wait for the turn of the third",
        text.scan(/waits for a mutex +(ann|bob|cy) +\S*three_mistakes\.rb:\d+/)
          .then { |rows| rows.size == 2 && rows.uniq.size == 1 })
  check("the stack names the line", text.match?(/three_mistakes\.rb:\d+:in 'Office#sell'/))
  check("the header is reversed",
        browser.evaluate("[...document.querySelectorAll('.reversed')].some((e) => e.textContent.includes('THREAD'))"))
  check("frames are drawn", text.include?("┌") && text.include?("└"))
  [["light", false], ["dark", true]].each do |name, dark|
    browser.size(1110, 470, dark:)
    background = browser.evaluate("getComputedStyle(document.body).backgroundColor").scan(/\d+/).first(3).sum(&:to_i)
    check("#{name}: the background", dark ? background < 200 : background > 600)
    check("#{name}: all is seen",
          browser.evaluate("document.documentElement.scrollWidth <= 1110 && " \
                           "document.documentElement.scrollHeight <= 470"))
    browser.screenshot(File.join(ARGV[1], "top-#{name}.png")) if ARGV[1]
  end
end

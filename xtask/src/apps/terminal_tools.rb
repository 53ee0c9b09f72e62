apps_require "tty-prompt", "tty-color", "tty-cursor", "tty-screen", "ruby-progressbar"

require "stringio"
bar = ProgressBar.create(total: 4, output: out = StringIO.new, format: "%t %c/%C %P%%", title: "T", length: 40)
4.times { bar.increment }
puts out.string.inspect
p TTY::Cursor.up(2), TTY::Cursor.clear_line, TTY::Color.mode.class
prompt = TTY::Prompt.new(input: input = StringIO.new("Ada\ny\n"), output: shown = StringIO.new, env: {})
p prompt.ask("Name?"), prompt.yes?("Sure?")
puts shown.string.lines.size

# Arguments of io/console: what is converted, what is refused
# timeout: 30
require "io/console"
require "stringio"
require "pty"
master, slave = PTY.open
shown = lambda do |&block|
  raise "another object" unless block.call.equal?(slave)
  text = +""
  slave.write("|")
  text << master.readpartial(100) until text.end_with?("|")
  text.chop
end
shown.call { slave.cursor_up(1.9) } # => "\e[1A"
shown.call { slave.cursor_left(-2) } # => "\e[2C"
shown.call { slave.cursor_down(0) } # => ""
shown.call { slave.scroll_forward(-3) } # => "\e[3T"
shown.call { slave.goto_column(1.5) } # => "\e[2G"
shown.call { slave.goto(-1, -2) } # => "\e[0;-1H"
shown.call { slave.erase_line(nil) } # => "\e[0K"
shown.call { slave.erase_screen(3) } # => "\e[3J"
shown.call { slave.beep } # => "\a"
shown.call { slave.clear_screen } # => "\e[2J\e[1;1H"
shown.call { slave.send(:cursor=, [1, 2]) } # => "\e[2;3H"
slave.cursor_up(nil) # raises TypeError: no implicit conversion from nil to integer
slave.cursor_up("x") # raises TypeError: no implicit conversion of String into Integer
slave.scroll_backward(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
slave.goto_column(nil) # raises TypeError: no implicit conversion of nil into Integer
slave.goto(1, 2**40) # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
slave.cursor = 3 # raises TypeError: no implicit conversion of Integer into Array
slave.cursor = [1] # raises ArgumentError: expected 2D coordinate
slave.erase_line(1.5) # raises ArgumentError: wrong line erase mode: 1.5
slave.erase_screen(4) # raises ArgumentError: wrong screen erase mode: 4
slave.erase_screen(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
slave.winsize = [1, 2, 3] # raises ArgumentError: wrong number of arguments (given 3, expected 2 or 4)
slave.winsize = [1, 2**40] # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
slave.winsize = [70_000, nil]
slave.winsize # => [4464, 0]
slave.pressed?(1) # raises NotImplementedError: pressed?() function is unimplemented on this machine

# Modes.
slave.raw(intr: 1) { } # raises ArgumentError: true or false expected as intr: 1
slave.raw(time: "x") { } # raises TypeError: no implicit conversion of String into Integer
slave.raw(min: "x") { } # raises TypeError: no implicit conversion of String into Integer
slave.raw(other: 1) { } # raises ArgumentError: unknown keyword: :other
slave.raw(min: -1, time: -1, intr: false) { 7 } # => 7
slave.raw # raises LocalJumpError: no block given
slave.noecho # raises LocalJumpError: no block given
slave.echo? # => true
slave.console_mode = 1 # raises TypeError: wrong argument type Integer (expected console-mode)
IO::ConsoleMode.new # raises NoMethodError: undefined method 'initialize' for an instance of IO::ConsoleMode
IO.console("winsize") # raises TypeError: wrong argument type String (expected Symbol)
IO.console(nil) # raises TypeError: wrong argument type nil (expected Symbol)

# A password is not echoed; what prompts is the terminal.
asked = lambda do |input, *prompt|
  asking = Thread.new { slave.getpass(*prompt) }
  # Written when it no longer echoes.
  Thread.pass while slave.echo?
  master.write(input)
  [asking.value, (+"").tap { |text| text << master.readpartial(100) until text.end_with?("\n") }]
end
asked.call("secret\n", "P: ") # => ["secret", "P: \r\n"]
asked.call("secret\n") # => ["secret", "\r\n"]
asked.call("part\x04\x04", nil) # => ["part", "\r\n"]
asked.call("\x04", "") # => [nil, "\r\n"]
slave.getpass(3) # raises TypeError: no implicit conversion of Integer into String
slave.getpass("a\0") # raises ArgumentError: string contains null byte
# Nothing of it can be done with a pipe.
reader, writer = IO.pipe
reader.beep # raises Errno::EBADF
reader.getpass # raises IOError: not opened for writing
writer.getch # raises Errno::ENOTTY
writer.winsize = [1, 2] # raises Errno::ENOTTY

# A StringIO reads what is there.
text = StringIO.new(+"ab\ncd\n")
text.getch # => "a"
text.getpass # => "b"
text.string # => "ab\n\nd\n"

# io/console: a terminal's modes for the length of a block, single keys, the cursor.

class IO::ConsoleMode
  def raw!(min: nil, time: nil, intr: nil)
    __raw!(min, time && (time * 10).to_i, intr)
    self
  end

  def raw(**options) = dup.raw!(**options)
end

class IO
  def raw(min: nil, time: nil, intr: nil)
    __with_mode(->(mode) { mode.raw!(min: min, time: time, intr: intr) }) { yield self }
  end

  def raw!(min: nil, time: nil, intr: nil)
    self.console_mode = console_mode.raw!(min: min, time: time, intr: intr)
    self
  end

  def cooked
    __with_mode(->(mode) { mode.__send__(:__cooked!) }) { yield self }
  end

  def cooked!
    self.console_mode = console_mode.__send__(:__cooked!)
    self
  end

  def noecho
    __with_mode(->(mode) { mode.echo = false }) { yield self }
  end

  def echo=(on)
    mode = console_mode
    mode.echo = on
    self.console_mode = mode
  end

  def echo? = console_mode.__send__(:__echo?)

  def getch(min: nil, time: nil, intr: nil)
    raw(min: min, time: time, intr: intr) do
      # Without a least number of bytes it is enough that the time is over.
      next nil if min == 0 && !wait_readable(time || 0)
      getc
    end
  end

  def getpass(prompt = nil)
    $stderr.print prompt if prompt && self == $stdin
    print prompt if prompt && self != $stdin
    line = noecho { gets("\n") }
    (self == $stdin ? $stderr : self).puts
    line&.chomp("\n")
  end

  def winsize=(size)
    size = Array(size)
    unless size.size == 2 || size.size == 4
      raise ArgumentError, "wrong number of arguments (given #{size.size}, expected 2 or 4)"
    end
    __set_winsize(size[0], size[1], size[2], size[3])
  end

  def beep = __escape("\a")
  def goto(y, x) = __escape("\e[#{y + 1};#{x + 1}H")
  def goto_column(x) = __escape("\e[#{x + 1}G")
  def cursor_up(n) = __move(n, "A", "B")
  def cursor_down(n) = __move(n, "B", "A")
  def cursor_right(n) = __move(n, "C", "D")
  def cursor_left(n) = __move(n, "D", "C")
  def scroll_forward(n) = __move(n, "S", "T")
  def scroll_backward(n) = __move(n, "T", "S")

  def cursor=(position)
    goto(*position)
  end

  def erase_line(mode)
    raise ArgumentError, "wrong line erase mode: #{mode}" unless (0..2).cover?(mode)
    __escape("\e[#{mode}K")
  end

  def erase_screen(mode)
    raise ArgumentError, "wrong screen erase mode: #{mode}" unless (0..3).cover?(mode)
    __escape("\e[#{mode}J")
  end

  def clear_screen
    erase_screen(2)
    goto(0, 0)
  end

  # Asks the terminal where the cursor is: [row, column] from 0.
  def cursor
    raw do
      __escape("\e[6n")
      answer = +""
      while (char = getc)
        answer << char
        return [$1.to_i - 1, $2.to_i - 1] if answer =~ /\e\[(\d+);(\d+)R\z/
      end
    end
  end

  def pressed? = raise(NotImplementedError, "pressed?() function is unimplemented on this machine")
  def check_winsize_changed = raise(NotImplementedError, "check_winsize_changed() function is unimplemented on this machine")

  private

  def __with_mode(change)
    saved = console_mode
    mode = saved.dup
    change[mode]
    self.console_mode = mode
    begin
      yield
    ensure
      self.console_mode = saved unless closed?
    end
  end

  def __escape(text)
    write(text)
    flush
    self
  end

  def __move(n, forward, backward)
    return self if n == 0
    __escape("\e[#{n.abs}#{n > 0 ? forward : backward}")
  end

  class << self
    # The controlling terminal, nil without one; with a name, the result of that method of it.
    def console(name = nil, *args, **options)
      raise TypeError, "wrong argument type #{name.class} (expected Symbol)" unless name.nil? || name.respond_to?(:to_sym)
      @__console = nil if @__console&.closed?
      if name&.to_sym == :close
        @__console&.close
        return @__console = nil
      end
      begin
        @__console ||= File.open("/dev/tty", "r+").tap { it.sync = true }
      rescue SystemCallError
        return nil
      end
      name ? @__console.__send__(name, *args, **options) : @__console
    end

    def default_console_size = [ENV["LINES"].to_i.nonzero? || 25, ENV["COLUMNS"].to_i.nonzero? || 80]

    def console_size
      console&.winsize || default_console_size
    rescue SystemCallError
      default_console_size
    end
  end
end

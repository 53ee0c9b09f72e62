# io/console: a terminal's modes for the length of a block, single keys, the cursor.

class IO::ConsoleMode
  VERSION = "0.8.2"

  def raw!(min: nil, time: nil, intr: nil)
    raise ArgumentError, "true or false expected as intr: #{intr}" unless intr.nil? || intr == true || intr == false
    Primitive.console_raw_bang(self, min, time && time * 10, intr)
    self
  end

  def raw(**options) = dup.raw!(**options)
end

class IO
  def raw(min: nil, time: nil, intr: nil)
    __with_mode(->(mode) { mode.raw!(min: min, time: time, intr: intr) }) { block_given? ? yield(self) : __no_block }
  end

  def raw!(min: nil, time: nil, intr: nil)
    self.console_mode = console_mode.raw!(min: min, time: time, intr: intr)
    self
  end

  def cooked
    __with_mode(->(mode) { Primitive.console_cooked_bang(mode) }) { block_given? ? yield(self) : __no_block }
  end

  def cooked!
    self.console_mode = Primitive.console_cooked_bang(console_mode)
    self
  end

  def noecho
    __with_mode(->(mode) { mode.echo = false }) { block_given? ? yield(self) : __no_block }
  end

  def echo=(on)
    mode = console_mode
    mode.echo = on
    self.console_mode = mode
  end

  def echo? = Primitive.console_echo_p(console_mode)

  def getch(min: nil, time: nil, intr: nil)
    raw(min: min, time: time, intr: intr) do
      # Without a least number of bytes it is enough that the time is over.
      next nil if min == 0 && !wait_readable(time || 0)
      getc
    end
  end

  def getpass(prompt = nil)
    out = equal?($stdin) ? $stderr : self
    Primitive.console_prompt(self, out, prompt) unless prompt.nil?
    out.flush
    begin
      line = noecho { gets("\n") }
    ensure
      out.puts
    end
    line&.chomp!("\n")
    line
  end

  def winsize=(size)
    size = Array(size)
    unless size.size == 2 || size.size == 4
      raise ArgumentError, "wrong number of arguments (given #{size.size}, expected 2 or 4)"
    end
    Primitive.console_set_winsize(self, size[0], size[1], size[2], size[3])
  end

  def goto(y, x) = __escape("\e[#{Primitive.integer_to_place(y)};#{Primitive.integer_to_place(x)}H")
  def goto_column(x) = __escape("\e[#{Primitive.integer_to_place(x)}G")
  def cursor_up(n) = __move(n, "A", "B").flush
  def cursor_down(n) = __move(n, "B", "A").flush
  def cursor_right(n) = __move(n, "C", "D").flush
  def cursor_left(n) = __move(n, "D", "C").flush
  def scroll_forward(n) = __move(n, "S", "T")
  def scroll_backward(n) = __move(n, "T", "S")

  def cursor=(position)
    place = [].concat(position)
    raise ArgumentError, "expected 2D coordinate" unless place.size == 2
    goto(*place)
  end

  def erase_line(mode) = __escape("\e[#{__mode_in_range(mode, 2, "line erase")}K")
  def erase_screen(mode) = __escape("\e[#{__mode_in_range(mode, 3, "screen erase")}J")

  def clear_screen
    erase_screen(2)
    goto(0, 0)
  end

  # Asks the terminal where the cursor is: [row, column] from 0; nil if it answers something else.
  def cursor
    raw do
      __escape("\e[6n")
      flush
      next nil unless getbyte == 0x1b && getbyte == 0x5b
      answer = +""
      while (byte = getbyte)
        answer << byte
        break unless byte.between?(0x30, 0x39) || byte == 0x3b
      end
      answer =~ /\A(\d*);(\d*)R\z/ ? [$1.to_i - 1, $2.to_i - 1] : nil
    end
  end

  def pressed?(...) = raise(NotImplementedError, "pressed?() function is unimplemented on this machine")
  def check_winsize_changed(...)
    raise(NotImplementedError, "check_winsize_changed() function is unimplemented on this machine")
  end

  private

  def __with_mode(change)
    saved = Primitive.console_mode_to_change(self)
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
    self
  end

  def __no_block = raise(LocalJumpError, "no block given")

  def __mode_in_range(mode, high, what)
    return 0 if mode.nil?
    unless mode.is_a?(Integer) && (0..high).cover?(Primitive.integer_to_c_int(mode))
      raise ArgumentError, "wrong #{what} mode: #{mode}"
    end
    mode
  end

  def __move(n, forward, backward)
    n = Primitive.integer_to_c_int(n)
    return self if n == 0
    __escape("\e[#{n.abs}#{n > 0 ? forward : backward}")
  end

  class << self
    # The controlling terminal, nil without one; with a name, the result of that method of it.
    def console(*name, **options)
      unless name.empty? || name[0].is_a?(Symbol)
        given = name[0].nil? || name[0] == true || name[0] == false ? name[0].inspect : name[0].class
        raise TypeError, "wrong argument type #{given} (expected Symbol)"
      end
      @__console = nil if @__console&.closed?
      if name == [:close]
        @__console&.close
        return @__console = nil
      end
      begin
        @__console ||= (equal?(IO) ? File : self).open("/dev/tty", "r+").tap { it.sync = true }
      rescue SystemCallError
        return nil
      end
      name.empty? ? @__console : @__console.__send__(*name, **options)
    end
  end
end

class IO
  def winsize
    IO.console_size
  end

  def self.console
    @console ||= File.open("/dev/tty", "r+")
  rescue SystemCallError
    nil
  end

  def raw(*, **) = yield(self)
  def noecho = yield(self)
  def cooked = yield(self)
  def getch(*, **) = getc
  def echo=(on)
    on
  end
  def echo? = true
end

# io/console/size: the size of the console, or what the environment says.

class IO
  def self.default_console_size = [ENV["LINES"].to_i.nonzero? || 25, ENV["COLUMNS"].to_i.nonzero? || 80]

  def self.console_size
    console&.winsize || default_console_size
  end
end

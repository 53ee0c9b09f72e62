module Kernel
  def gets(*args, **options)
    line = ARGF.gets(*args, **options)
    Primitive.kernel_set_last_line(self, line)
  end

  def readline(*args, **options)
    line = ARGF.readline(*args, **options)
    Primitive.kernel_set_last_line(self, line)
  end

  def readlines(*args, **options)
    ARGF.readlines(*args, **options)
  end

  def `(command)
    Primitive.process_backtick(self, command)
  end

  module_function :gets, :readline, :readlines, :`

  def pp(*objects)
    begin
      require "pp"
    rescue LoadError
      # No library is installed.
      return p(*objects)
    end
    pp(*objects)
  end
  # The library's own pp takes its place without a warning.
  alias pp pp
  module_function :pp
end

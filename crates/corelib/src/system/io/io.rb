class IO
  include File::Constants if defined?(File::Constants)

  def each_line(*args, chomp: false)
    return to_enum(:each_line, *args, chomp: chomp) unless block_given?
    while line = __each_gets(chomp, *args)
      yield line
    end
    self
  end
  alias each each_line

  def each_byte
    return to_enum(:each_byte) unless block_given?
    while byte = getbyte
      yield byte
    end
    self
  end

  def each_char
    return to_enum(:each_char) unless block_given?
    while char = getc
      yield char
    end
    self
  end
end

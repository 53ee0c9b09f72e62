class StringIO
  def each_line(*args, **options)
    __check_readable
    return to_enum(:each_line, *args, **options) unless block_given?
    separator, limit, chomp = __line_args(*args, **options)
    while line = __getline(separator, limit, chomp)
      yield line
    end
    self
  end
  alias each each_line

  def each_byte
    return to_enum(:each_byte) unless block_given?
    while byte = __getbyte
      yield byte
    end
    self
  end

  def each_char
    return to_enum(:each_char) unless block_given?
    while char = __getc
      yield char
    end
    self
  end

  def each_codepoint
    __check_readable
    return to_enum(:each_codepoint) unless block_given?
    while code = __codepoint
      yield code
    end
    self
  end
end

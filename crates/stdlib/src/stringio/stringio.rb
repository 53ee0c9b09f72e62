class StringIO
  def each_line(*args, **options)
    Primitive.stringio_check_readable(self)
    return to_enum(:each_line, *args, **options) unless block_given?
    separator, limit, chomp = Primitive.stringio_line_args(self, *args, **options)
    while line = Primitive.stringio_getline(self, separator, limit, chomp)
      yield line
    end
    self
  end
  alias each each_line

  def each_byte
    return to_enum(:each_byte) unless block_given?
    while byte = Primitive.stringio_getbyte(self)
      yield byte
    end
    self
  end

  def each_char
    return to_enum(:each_char) unless block_given?
    while char = Primitive.stringio_getc(self)
      yield char
    end
    self
  end

  def each_codepoint
    Primitive.stringio_check_readable(self)
    return to_enum(:each_codepoint) unless block_given?
    while code = Primitive.stringio_codepoint(self)
      yield code
    end
    self
  end
end

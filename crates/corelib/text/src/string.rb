class String
  def each_char
    return to_enum(:each_char) { size } unless block_given?
    string = Primitive.string_steady(self)
    from = 0
    while from
      list = Primitive.string_chars(string, from)
      i = 0
      n = list.size - 1
      while i < n
        yield list[i]
        i += 1
      end
      from = list[n]
    end
    self
  end

  def chars
    list = Primitive.string_chars(self)
    return list unless block_given?
    i = 0
    while i < list.size
      yield list[i]
      i += 1
    end
    self
  end

  def each_byte
    return to_enum(:each_byte) { bytesize } unless block_given?
    i = 0
    while i < bytesize
      yield getbyte(i)
      i += 1
    end
    self
  end

  def bytes
    list = Primitive.string_bytes(self)
    return list unless block_given?
    i = 0
    while i < list.size
      yield list[i]
      i += 1
    end
    self
  end

  def each_codepoint
    return to_enum(:each_codepoint) { size } unless block_given?
    if Primitive.string_single_byte(self)
      i = 0
      while i < bytesize
        yield getbyte(i)
        i += 1
      end
      return self
    end
    string = Primitive.string_steady(self)
    from = 0
    while from
      list = Primitive.string_codepoints(string, from)
      i = 0
      n = list.size - 1
      while i < n
        yield list[i]
        i += 1
      end
      from = list[n]
    end
    self
  end

  def codepoints
    list = Primitive.string_codepoints(self)
    return list unless block_given?
    i = 0
    while i < list.size
      yield list[i]
      i += 1
    end
    self
  end

  def each_grapheme_cluster
    return to_enum(:each_grapheme_cluster) { Primitive.string_grapheme_clusters(self).size } unless block_given?
    string = Primitive.string_steady(self)
    from = 0
    while from
      list = Primitive.string_grapheme_clusters(string, from)
      i = 0
      n = list.size - 1
      while i < n
        yield list[i]
        i += 1
      end
      from = list[n]
    end
    self
  end

  def grapheme_clusters
    list = Primitive.string_grapheme_clusters(self)
    return list unless block_given?
    i = 0
    while i < list.size
      yield list[i]
      i += 1
    end
    self
  end

  def each_line(separator = (none = true; $/), chomp: (whole = true; false))
    unless block_given?
      return to_enum(:each_line, *(none ? [] : [separator]), **(whole ? {} : { chomp: chomp }))
    end
    separator = Primitive.string_separator(self, separator)
    string = Primitive.string_steady(self)
    from = 0
    while from
      list = Primitive.string_lines(string, separator, chomp, from)
      i = 0
      n = list.size - 1
      while i < n
        yield list[i]
        i += 1
      end
      from = list[n]
    end
    self
  end

  def lines(separator = $/, chomp: false)
    list = Primitive.string_lines(self, separator, chomp)
    return list unless block_given?
    i = 0
    while i < list.size
      yield list[i]
      i += 1
    end
    self
  end

  def split(pattern = nil, limit = 0)
    list = Primitive.string_split(self, pattern, limit)
    return list unless block_given?
    i = 0
    n = list.size
    before = bytesize
    while i < n
      yield list[i]
      i += 1
      raise RuntimeError, "string modified" if i < n && bytesize != before
    end
    self
  end

  def upto(last, exclusive = false)
    return to_enum(:upto, last, exclusive) unless block_given?
    last = Primitive.string_upto_last(self, last)
    if bytesize == 1 && last.bytesize == 1 && ascii_only? && last.ascii_only?
      code = getbyte(0)
      finish = last.getbyte(0)
      return self if code > finish || (exclusive && code == finish)
      encoding = self.encoding
      while true
        yield code.chr.force_encoding(encoding)
        break if !exclusive && code == finish
        code += 1
        break if exclusive && code == finish
      end
      return self
    end
    if Primitive.string_digits_p(self) && Primitive.string_digits_p(last)
      width = bytesize
      number = to_i
      finish = last.to_i
      finish -= 1 if exclusive
      while number <= finish
        text = number.to_s
        text = text.rjust(width, "0") if text.bytesize < width
        yield text.force_encoding(Encoding::US_ASCII)
        number += 1
      end
      return self
    end
    order = self <=> last
    return self if order > 0 || (exclusive && order == 0)
    after = last.succ
    current = dup
    until current == after
      reached = current == last
      break if exclusive && reached
      following = reached ? nil : current.succ
      yield current
      break if reached
      current = following
      break if current.bytesize > last.bytesize || current.empty?
    end
    self
  end
end

class ARGF__
  include Enumerable

  def initialize(*files)
    @argv = files
    __setup
  end

  def __setup
    @lineno = 0
    @io = nil
    @filename = "-"
    @started = false
    # Every file has been read: standard input stands for the current one.
    @ended = false
    @binmode = false
    @external = @internal = nil
    @inplace = nil
    @out = nil
  end

  def initialize_copy(other)
    @argv = @argv.dup
  end

  def argv = @argv
  def to_s = "ARGF"
  alias inspect to_s

  def filename
    __next_file
    @filename
  end
  alias path filename

  def file
    __next_file
    @io
  end

  def lineno = @lineno

  def lineno=(number)
    @lineno = number
    $. = number if equal?(ARGF)
  end

  def fileno
    raise ArgumentError, "no stream" unless __next_file
    @io.fileno
  end
  alias to_i fileno

  def to_io
    __next_file
    @io
  end

  def binmode
    @binmode = true
    @io.binmode if __next_file && @io
    self
  end

  def binmode? = @binmode
  def inplace_mode = @inplace
  def inplace_mode=(extension)
    unless extension.nil?
      extension = String.try_convert(extension)&.dup ||
        raise(TypeError, "no implicit conversion of #{extension.class} into String")
    end
    if extension && extension.encoding.ascii_compatible? && extension.include?("\0")
      raise ArgumentError, "string contains null byte"
    end
    @inplace = extension
  end

  def closed?
    __next_file unless @io
    @io.nil? || @io.closed?
  end

  def close
    __next_file
    __close_file
    # The program may name other files now: standard input is over.
    @ended = true if @io.equal?($stdin)
    @lineno = 0
    self
  end

  def skip
    __close_file if @started && @io
    self
  end

  def external_encoding
    @external || (@io ? @io.external_encoding : Encoding.default_external)
  end

  # (Before the first file is open it is the external one, as in CRuby.)
  def internal_encoding
    @internal || (@io ? @io.internal_encoding : Encoding.default_external)
  end

  def set_encoding(*arguments, **options)
    raise ArgumentError, "no stream to set encoding" unless __next_file
    @io.set_encoding(*arguments, **options)
    @external, @internal = @io.external_encoding, @io.internal_encoding
    self
  end

  def gets(*arguments, **options)
    line = __each_file { |io| io.gets(*arguments, **options) }
    if line
      @lineno += 1
      $. = @lineno if equal?(ARGF)
    end
    Primitive.kernel_set_last_line(self, line)
  end

  def readline(*arguments, **options)
    gets(*arguments, **options) or raise EOFError, "end of file reached"
  end

  def readlines(*arguments, **options)
    raise ArgumentError, "invalid limit: 0 for readlines" if arguments.last == 0
    lines = []
    while line = gets(*arguments, **options)
      lines << line
    end
    __end_files unless @io.equal?($stdin)
    lines
  end
  alias to_a readlines

  def read(length = nil, buffer = nil)
    text = buffer&.clear
    while __next_file
      part = @io.read(length && length - (text ? text.bytesize : 0))
      if part
        text ? text << part : text = part
        return text if length && text.bytesize >= length
      end
      break unless __finish_file
    end
    text
  end

  def readpartial(length, buffer = nil)
    __partial(buffer, true) { @io.readpartial(*[length, buffer].compact) }
  end

  def read_nonblock(length, buffer = nil, exception: true)
    __partial(buffer, exception) { @io.read_nonblock(*[length, buffer].compact, exception: exception) }
  end

  def getc = __each_file { |io| io.getc }
  def getbyte = __each_file { |io| io.getbyte }
  def readchar = getc || raise(EOFError, "end of file reached")
  def readbyte = getbyte || raise(EOFError, "end of file reached")

  def eof?
    unless __next_file
      raise IOError, "ARGF is not opened for reading" if @ended || !@io
    end
    # The last file has been closed at its end, which the IO says.
    @io.eof?
  end
  alias eof eof?

  def pos
    raise ArgumentError, "no stream to tell" unless __next_file
    @io.pos
  end
  alias tell pos

  def pos=(position)
    raise ArgumentError, "no stream to set position" unless __next_file
    @io.pos = position
  end

  def seek(offset, whence = IO::SEEK_SET)
    raise ArgumentError, "no stream to seek" unless __next_file
    @io.seek(offset, whence)
  end

  def rewind
    raise ArgumentError, "no stream to rewind" unless __next_file
    @lineno -= @io.lineno
    @io.rewind
  end

  def each_line(*arguments, **options)
    return to_enum(:each_line, *arguments, **options) unless block_given?
    raise ArgumentError, "invalid limit: 0 for each_line" if arguments.last == 0
    while line = gets(*arguments, **options)
      yield line
    end
    self
  end
  alias each each_line

  def each_char
    return to_enum(:each_char) unless block_given?
    while char = getc
      yield char
    end
    self
  end

  def each_byte
    return to_enum(:each_byte) unless block_given?
    while byte = getbyte
      yield byte
    end
    self
  end

  def each_codepoint
    return to_enum(:each_codepoint) unless block_given?
    while char = getc
      yield char.ord
    end
    self
  end

  def to_write_io
    raise IOError, "not opened for writing" unless @out
    @out
  end

  def write(*objects) = to_write_io.write(*objects)
  def print(*objects) = to_write_io.print(*objects)
  def puts(*objects) = to_write_io.puts(*objects)
  def printf(*objects) = to_write_io.printf(*objects)
  def putc(object) = to_write_io.putc(object)

  private

  # What the block reads of the current file; an empty String where that has ended and another follows.
  def __partial(buffer, exception)
    unless __next_file
      buffer&.clear
      raise EOFError, "end of file reached"
    end
    begin
      part = yield
      return part unless part.nil?
    rescue EOFError
      nil
    end
    return buffer || +"" if __finish_file
    raise EOFError, "end of file reached" if exception
  end

  # Tries each file in turn until the block finds something.
  def __each_file
    while __next_file
      found = yield @io
      return found unless found.nil?
      return nil unless __finish_file
    end
    nil
  end

  # Makes sure that a file is open; false when there are no more.
  def __next_file
    if @ended
      return false if @argv.empty?
      @ended = false
      @io = nil
    end
    return true if @io && !@io.closed?
    if !@started && @argv.empty?
      @started = true
      @filename = "-"
      @io = $stdin
      if @inplace
        __warn "Can't do inplace edit for stdio"
        $stdout = STDOUT
      end
      return true
    end
    @started = true
    until @argv.empty?
      return true if __open_file(@argv.shift)
    end
    false
  end

  def __end_files
    @ended = true
    @filename = "-"
    @io = $stdin
    nil
  end

  def __open_file(name)
    @filename = File.path(name)
    if @filename == "-"
      @io = $stdin
      __warn "Can't do inplace edit for stdio; skipping" if @inplace
      return !@inplace
    end
    @io = @binmode ? File.open(@filename, "rb") : File.open(@filename)
    @io.set_encoding(@external, @internal) if @external && !@binmode
    @inplace ? __begin_inplace : true
  end

  # A warning at the place of the program that reads.
  def __warn(text)
    place = caller_locations(0, 1)[0]
    warn "#{place.path}:#{place.lineno}: warning: #{text}"
  end

  # Whether the file can be edited; one that cannot is passed over.
  def __begin_inplace
    backup = @inplace.empty? ? nil : @filename + @inplace.encode(@filename.encoding)
    mode = @io.stat.mode
    begin
      backup ? File.rename(@filename, backup) : File.unlink(@filename)
    rescue SystemCallError => error
      what = backup ? "rename #{@filename} to #{backup}" : "remove #{@filename}"
      __warn "Can't #{what}: #{error.message[/\A[^@]*[^@ ]/]}, skipping file"
      @io.close
      return false
    end
    # What was printed since the last edit still went to the file of that.
    $stdout.close if IO === $stdout && !$stdout.equal?(STDOUT)
    @out = File.open(@filename, "w", mode & 0o777)
    $stdout = @out
    true
  end

  def __close_file
    return unless @io
    @out = nil
    @io.close unless @io.equal?($stdin)
  end

  # Ends the file that has been read to its end; whether there is another.
  def __finish_file
    if @io.equal?($stdin)
      return false if @argv.empty?
      @io = nil
      return true
    end
    __close_file
    !@argv.empty?
  end
end

ARGF = ARGF__.new
Object.__send__(:remove_const, :ARGF__)
ARGF.instance_variable_set(:@argv, ARGV)

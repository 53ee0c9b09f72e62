class IO
  def each_line(*args, chomp: (whole = true; false))
    return to_enum(Primitive.called_name(self), *args, **(whole ? {} : { chomp: chomp })) unless block_given?
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..2)" if args.size > 2
    if args.empty?
      while line = Primitive.io_each_gets(self, chomp)
        yield line
      end
    else
      args = Primitive.io_line_arguments(self, *args)
      while line = Primitive.io_each_gets(self, chomp, *args)
        yield line
      end
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

  def each_codepoint
    return to_enum(:each_codepoint) unless block_given?
    while char = getc
      yield char.ord
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

class IO
  module WaitReadable; end
  module WaitWritable; end

  class EAGAINWaitReadable < Errno::EAGAIN
    include WaitReadable
  end

  class EAGAINWaitWritable < Errno::EAGAIN
    include WaitWritable
  end

  class EINPROGRESSWaitReadable < Errno::EINPROGRESS
    include WaitReadable
  end

  class EINPROGRESSWaitWritable < Errno::EINPROGRESS
    include WaitWritable
  end

  EWOULDBLOCKWaitReadable = EAGAINWaitReadable
  EWOULDBLOCKWaitWritable = EAGAINWaitWritable

  class TimeoutError < IOError; end

  def self.foreach(path, *args, **options)
    return to_enum(:foreach, path, *args, **options) unless block_given?
    chomp = options.delete(:chomp)
    open_args = options.delete(:open_args)
    if open_args
      options = Hash === open_args.last ? open_args.last : {}
      open_args = open_args[0...-1] if Hash === open_args.last
    end
    raise ArgumentError, "wrong number of arguments (given #{args.size + 1}, expected 1..3)" if args.size > 2
    args = Primitive.io_line_arguments(self, *args)
    path = Primitive.file_path_convert(path)
    File.open(path, *open_args, **options) do |file|
      __check_limit(args)
      if args.empty?
        while line = Primitive.io_each_gets(file, chomp)
          yield line
        end
      else
        while line = Primitive.io_each_gets(file, chomp, *args)
          yield line
        end
      end
    end
    $_ = nil
  end

  def self.__check_limit(args)
    limit = args.last
    raise ArgumentError, "invalid limit: 0 for foreach" if Integer === limit && limit == 0
  end
  private_class_method :__check_limit
end

# Gzip files: what is made of other methods.
module Zlib
  class GzipFile
    class Error
      attr_reader :input

      def inspect
        @input ? "#{super.delete_suffix(">")}, input=#{@input.inspect}>" : super
      end
    end

    class << self
      def wrap(*args, **options)
        gz = new(*args, **options)
        return gz unless block_given?
        begin
          yield gz
        ensure
          gz.close
        end
      end

      private

      def __open(path, mode, args, options, block)
        io = File.open(path, mode)
        begin
          gz = new(io, *args, **options)
        rescue Exception
          io.close
          raise
        end
        return gz unless block
        begin
          block.call(gz)
        ensure
          gz.close
        end
      end
    end
  end

  class GzipWriter
    def self.open(path, *args, **options, &block) = __open(path, "wb", args, options, block)

    def printf(format, *args)
      write(Kernel.format(format, *args))
      nil
    end
  end

  class GzipReader
    def self.open(path, *args, **options, &block) = __open(path, "rb", args, options, block)

    def self.zcat(io, **options, &block)
      contents = block ? nil : "".b
      begin
        gz = new(io, **options)
        if block
          gz.each(&block)
        else
          contents << gz.read
        end
        gz.read
        position = io.pos
        rest = gz.unused
        gz.finish
        io.pos = position -= rest.length if rest
      end while position < io.size
      contents
    end

    def readchar = getc || raise(EOFError, "end of file reached")

    def readbyte = getbyte || raise(EOFError, "end of file reached")

    def readline(*args)
      line = Primitive.gzip_reader_gets(self, *args) || raise(EOFError, "end of file reached")
      Primitive.kernel_set_last_line(self, line)
      line
    end

    def each(*args)
      return to_enum(:each, *args) unless block_given?
      while line = Primitive.gzip_reader_gets(self, *args)
        yield line
      end
      self
    end

    alias each_line each

    def readlines(*args)
      lines = []
      while line = Primitive.gzip_reader_gets(self, *args)
        lines << line
      end
      lines
    end

    def each_byte
      return to_enum(:each_byte) unless block_given?
      while byte = getbyte
        yield byte
      end
      nil
    end

    def each_char
      return to_enum(:each_char) unless block_given?
      while char = getc
        yield char
      end
      nil
    end

    private

    def __encode(string, encoding, options)
      string.encode(encoding,
                    **options.slice(:invalid, :undef, :replace, :fallback, :xml, :cr_newline, :crlf_newline,
                                    :universal_newline))
    end
  end
end

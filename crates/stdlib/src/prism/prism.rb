# What CRuby's extension of the gem defines. Options are checked and listed here,
# in the order in which the primitives read them.

module Prism
  VERSION = Primitive.prism_version(self).freeze

  class << self
    def dump(source, **options)
      dumped = __serialize(__source(source), 0, options)
      options[:freeze] ? dumped.freeze : dumped
    end

    def dump_file(filepath, **options) = __serialize(__file(filepath, options), 0, options)

    def lex(source, **options) = __lex(__source(source), options)
    def lex_file(filepath, **options) = __lex(__file(filepath, options), options)
    def parse(source, **options) = __parse(__source(source), options)
    def parse_file(filepath, **options) = __parse(__file(filepath, options), options)
    def parse_comments(source, **options) = __comments(__source(source), options)
    def parse_file_comments(filepath, **options) = __comments(__file(filepath, options), options)
    def parse_lex(source, **options) = __parse_lex(__source(source), options)
    def parse_lex_file(filepath, **options) = __parse_lex(__file(filepath, options), options)
    def parse_success?(source, **options) = __valid(__source(source), options)
    def parse_failure?(source, **options) = !__valid(__source(source), options)
    def parse_file_success?(filepath, **options) = __valid(__file(filepath, options), options)
    def parse_file_failure?(filepath, **options) = !__valid(__file(filepath, options), options)

    def profile(source, **options)
      __valid(__source(source), options)
      nil
    end

    def profile_file(filepath, **options)
      __valid(__file(filepath, options), options)
      nil
    end

    # Lines are read to the end or to __END__, which may yet lie in a string that has not ended: then it goes on.
    def parse_stream(stream, **options)
      source = +""
      loop do
        ended = __read_program(stream, source)
        return __parse(source, options) if ended || __valid(source, options)
      end
    end

    private

    def __read_program(stream, source)
      while (line = stream.gets)
        source << line
        return stream.eof? if line.match?(/\A__END__\r?\n?\z/)
      end
      true
    end

    def __source(source)
      return source if String === source
      raise TypeError, "wrong argument type #{source.class} (expected String)"
    end

    def __file(filepath, options)
      raise TypeError, "wrong argument type #{filepath.class} (expected String)" unless String === filepath
      options[:filepath] = filepath
      File.binread(filepath)
    rescue SystemCallError => error
      raise error.class, filepath
    end

    def __serialize(source, wanted, options) = Primitive.prism_serialize(source, wanted, __options(options))
    def __valid(source, options) = Primitive.prism_valid(source, __options(options))

    # Serialize tries another encoding on bytes that have none.
    def __own(source) = source.encoding == Encoding::BINARY ? source.dup : source
    def __frozen(options) = options[:freeze] ? true : false
    def __parse(source, options)
      Serialize.load_parse(__own(source), __serialize(source, 0, options), __frozen(options))
    end
    def __lex(source, options) = Serialize.load_lex(__own(source), __serialize(source, 1, options), __frozen(options))
    def __parse_lex(source, options)
      Serialize.load_parse_lex(__own(source), __serialize(source, 2, options), __frozen(options))
    end
    def __comments(source, options)
      Serialize.load_lex(__own(source), __serialize(source, 3, options), __frozen(options)).comments
    end

    # What `ripper_scan` tells besides the tokens.
    def __facts(source, bytes) = Serialize.load_lex(__own(source), bytes, false)

    def __options(options)
      list = [nil, 1, nil, false, nil, 0, 0, false, false, []]
      options.each do |key, value|
        unless %i[filepath line encoding frozen_string_literal command_line version main_script partial_script scopes
                  freeze].include?(key)
          next __unknown(key)
        end
        next if value.nil?
        case key
        when :filepath then list[0] = __string(value)
        when :line then list[1] = __line(value)
        when :encoding then value == false ? list[3] = true : list[2] = __encoding(value).name
        when :frozen_string_literal then list[4] = value ? true : false
        when :command_line then list[5] = __command_line(__string(value))
        when :version then list[6] = __version(__string(value))
        when :main_script then list[7] = value
        when :partial_script then list[8] = value
        when :scopes then list[9] = __scopes(value)
        end
      end
      list
    end

    def __unknown(key) = raise(ArgumentError, "unknown keyword: #{key}")

    def __string(value)
      return value if String === value
      raise TypeError, "wrong argument type #{value.class} (expected String)"
    end

    def __line(value)
      line = Integer === value ? value : Array.new(1).fill(value).pack("l").unpack1("l")
      return line if line.between?(-2**31, 2**31 - 1)
      raise RangeError, "integer #{line} too #{line < 0 ? "small" : "big"} to convert to 'int'"
    end

    def __encoding(value)
      return value if Encoding === value
      Encoding.find(value)
    end

    def __command_line(letters)
      letters.each_char.inject(0) do |flags, letter|
        at = "aelnpx".index(letter) or raise ArgumentError, "invalid command line flag: '#{letter}'"
        flags | 1 << at
      end
    end

    def __version(version)
      case version == "current" ? RUBY_VERSION : version
      when "latest" then 0
      when /\A3\.3(\.\d+)?\z/ then 1
      when /\A3\.4(\.\d+)?\z/ then 2
      when /\A(3\.5|4\.0|4\.1)(\.\d+)?\z/ then 3
      else
        raise CurrentVersionError, RUBY_VERSION if version == "current"
        raise ArgumentError, "invalid version: #{version}"
      end
    end

    def __scopes(scopes)
      __typed(scopes, Array).map do |scope|
        case scope
        when Array then [0, *__names(scope)]
        when Scope then [__forwarding(__typed(scope.forwarding, Array)), *__names(__typed(scope.locals, Array))]
        else raise TypeError, "wrong argument type #{scope.class} (expected Array or Prism::Scope)"
        end
      end
    end

    def __names(locals) = locals.map { |local| __typed(local, Symbol).name }

    def __forwarding(names)
      names.inject(0) do |flags, name|
        at = %i[* ** & ...].index(__typed(name, Symbol)) or raise ArgumentError, "invalid forwarding value: #{name}"
        flags | 1 << at
      end
    end

    def __typed(value, type)
      return value if type === value
      raise TypeError, "wrong argument type #{value.class} (expected #{type})"
    end
  end

  class StringQuery
    class << self
      def local?(string) = __ask(string, 0)
      def constant?(string) = __ask(string, 1)
      def method_name?(string) = __ask(string, 2)

      private

      def __ask(string, kind)
        raise TypeError, "wrong argument type #{string.class} (expected String)" unless String === string
        answer = Primitive.prism_query(string, kind)
        raise ArgumentError, "Invalid or non ascii-compatible encoding" if answer.nil?
        answer
      end
    end
  end
end

# The Ruby half of another version has other nodes.
begin
  Prism.parse("")
rescue RuntimeError => error
  raise error unless error.message == "Invalid serialization"
  raise LoadError,
        "prism: the parser of this Ruby serves version #{Prism::VERSION} of the gem, not the one that is loaded"
end

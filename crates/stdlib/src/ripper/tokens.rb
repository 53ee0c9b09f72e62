# Ripper's tokens out of Prism's, in the order in which Ripper reports them: the text of a heredoc follows where it is announced.

class Ripper
  # One token; `start` and `stop` are offsets in the source.
  Token = Struct.new(:event, :text, :line, :column, :state, :start, :stop)

  class Tokens
    EVENTS = {
      BACKTICK: :backtick, PERCENT_LOWER_X: :backtick, BRACE_LEFT: :lbrace, BRACE_RIGHT: :rbrace, BRACKET_LEFT: :lbracket,
      BRACKET_LEFT_ARRAY: :lbracket, BRACKET_RIGHT: :rbracket, CHARACTER_LITERAL: :CHAR, CLASS_VARIABLE: :cvar, COMMA: :comma, COMMENT: :comment,
      CONSTANT: :const, DOT: :period, EMBDOC_BEGIN: :embdoc_beg, EMBDOC_END: :embdoc_end, EMBDOC_LINE: :embdoc, EMBEXPR_BEGIN: :embexpr_beg,
      EMBEXPR_END: :embexpr_end, EMBVAR: :embvar, FLOAT: :float, FLOAT_IMAGINARY: :imaginary, FLOAT_RATIONAL: :rational,
      FLOAT_RATIONAL_IMAGINARY: :imaginary, GLOBAL_VARIABLE: :gvar, BACK_REFERENCE: :backref, NUMBERED_REFERENCE: :backref,
      HEREDOC_END: :heredoc_end, HEREDOC_START: :heredoc_beg, IDENTIFIER: :ident, METHOD_NAME: :ident, IGNORED_NEWLINE: :ignored_nl,
      INSTANCE_VARIABLE: :ivar, INTEGER: :int, INTEGER_IMAGINARY: :imaginary, INTEGER_RATIONAL: :rational,
      INTEGER_RATIONAL_IMAGINARY: :imaginary, LABEL: :label, LABEL_END: :label_end, LAMBDA_BEGIN: :tlambeg, MINUS_GREATER: :tlambda, NEWLINE: :nl,
      PARENTHESIS_LEFT: :lparen, PARENTHESIS_LEFT_PARENTHESES: :lparen, PARENTHESIS_RIGHT: :rparen, PERCENT_LOWER_I: :qsymbols_beg,
      PERCENT_LOWER_W: :qwords_beg, PERCENT_UPPER_I: :symbols_beg, PERCENT_UPPER_W: :words_beg, REGEXP_BEGIN: :regexp_beg, REGEXP_END: :regexp_end,
      SEMICOLON: :semicolon, STRING_BEGIN: :tstring_beg, STRING_CONTENT: :tstring_content, STRING_END: :tstring_end, SYMBOL_BEGIN: :symbeg,
      WORDS_SEP: :words_sep, __END__: :__end__
    }.freeze

    # The columns that all lines begin with, of those that are not blank; nil when all are.
    def self.indentation(contents)
      contents.flat_map { |token| __widths(token) }.min
    end

    def self.__widths(token)
      token.text.b.lines.each_with_index.filter_map do |line, index|
        next if index == 0 && token.column != 0 || line.match?(/\A\s*\n\z/)
        line[/\A[ \t\v\f\r]*/].each_byte.inject(0) { |width, byte| byte == 9 ? (width / 8 + 1) * 8 : width + 1 }
      end
    end

    def initialize(source, tokens)
      @source = source
      @tokens = tokens
    end

    def list
      @states = {}
      tokens = @tokens.map { |token, state| __convert(token, state) }
      eof = tokens.pop
      tokens.reject! { |token| token.text.empty? }
      blanks = __blanks(tokens, eof)
      tokens = __join(tokens)
      __ordered(tokens, blanks, eof)
    end

    private

    def __convert(token, state)
      type, location = token.type, token.location
      event = EVENTS[type] || (type.start_with?("KEYWORD_") ? :kw : :op)
      text = type == :EOF ? "" : token.value
      text = text.lines.first if type == :__END__
      Token.new(event, text, location.start_line, location.start_column, state, location.start_offset, location.end_offset)
    end

    # What lies between tokens, by the offset of the token behind it.
    def __blanks(tokens, eof)
      blanks = {}
      at = @source.byteslice(0, 3) == "\xEF\xBB\xBF".b ? 3 : 0
      previous = nil
      tokens.sort_by(&:start).each do |token|
        blanks[token.start] = __gap(at, token.start, previous) if token.start > at
        at = token.stop if token.stop > at
        previous = token
      end
      last = previous&.event == :__end__ ? at : @source.bytesize
      blanks[:end] = __gap(at, last, previous) if last > at && !(eof.start < at && previous&.event == :__end__)
      blanks
    end

    # Characters that begin nothing are no tokens.
    def __gap(from, to, previous)
      line, column = __position_behind(previous, from)
      tokens = []
      @source.byteslice(from, to - from)[/\A[^\0\x04\x1a]*/n].scan(/\\\r?\n|\r?\n|(?:[ \t\v\f]|\r(?!\n))+|./mn) do |text|
        event = text.match?(/\A\r?\n/) ? :nl : :sp
        tokens << Token.new(event, text, line, column, nil, from, from + text.bytesize) if text.match?(/\s/)
        from += text.bytesize
        text.end_with?("\n") ? (line += 1; column = 0) : column += text.bytesize
      end
      tokens
    end

    def __position_behind(previous, from)
      return [@first_line ||= @tokens.first[0].location.start_line, 0] unless previous
      newlines = previous.text.count("\n")
      return [previous.line, previous.column + from - previous.start] if newlines == 0
      [previous.line + newlines, previous.text.bytesize - previous.text.rindex("\n".b) - 1]
    end

    # Pieces of text that Prism divides by lines are one token, except in heredocs whose indentation is taken away.
    def __join(tokens)
      heredocs = []
      tokens.each_with_object([]) do |token, joined|
        case token.event
        when :heredoc_beg then heredocs << (token.text.start_with?("<<~") ? Float::INFINITY : 0)
        when :heredoc_end then heredocs.pop
        when :tstring_content
          last = joined.last
          together = last && last.event == :tstring_content && last.stop == token.start && (heredocs.last || 0) == 0
          heredocs[-1] = [heredocs.last, Tokens.indentation([token]) || Float::INFINITY].min if heredocs.last
          if together
            last.text = last.text + token.text
            last.stop = token.stop
            next
          end
        end
        joined << token
      end
    end

    # Blanks have the state of what precedes them. Ripper looks for a leading dot behind each line: comments there, and the blanks before them, have
    # the state that the line ended with.
    def __ordered(tokens, blanks, eof)
      state = EXPR_BEG
      ended = nil
      opened = []
      result = []
      previous = word = nil
      @depth = 0
      @definition = nil
      tokens.each do |token|
        comment = token.event == :comment
        state = __after_line(ended) if ended && !comment
        before = ended && comment ? ended : state
        blanks.delete(token.start)&.each { |blank| result << __with_state(blank, before) }
        after = token.state
        ended = nil unless comment
        case token.event
        when :comment
          token.state = after = before
          ended = before
        when :nl then ended = state
        when :regexp_beg, :heredoc_beg then opened << after
        when :regexp_end, :heredoc_end then token.state = opened.pop || after
        end
        result.concat(__split(token))
        state = __after_name(previous, word, token) || after
        word = token.text if token.event == :kw
        word = nil if token.event == :nl
        previous = token
      end
      blanks.delete(:end)&.each { |blank| result << __with_state(blank, ended || state) }
      result
    end

    # Where Ripper sets a state once it has seen a whole symbol, the parameters of a definition, or the first name of two.
    def __after_name(previous, word, token)
      return unless previous
      return EXPR_END if previous.event == :symbeg && previous.text == ":" && token.event != :tstring_content
      return EXPR_BEG if __ends_parameters(previous, word, token)
      EXPR_FNAME | EXPR_FITEM if %w[alias undef].include?(word) && previous.event == :kw && previous.text == word && token.state & EXPR_ENDFN != 0
    end

    def __ends_parameters(previous, word, token)
      case token.event
      when :lparen
        @definition = @depth if word == "def" && previous.state & EXPR_ENDFN != 0
        @depth += 1
      when :rparen
        @depth -= 1
        ended = @definition == @depth
        @definition = nil if ended
        ended
      end
    end

    def __after_line(state) = state & (EXPR_BEG | EXPR_CLASS | EXPR_FNAME | EXPR_DOT) == 0 ? EXPR_BEG : state

    def __with_state(token, state)
      token.state = state
      token
    end

    # Separators of words are one token a line.
    def __split(token)
      return [token] unless token.event == :words_sep && token.text.count("\n") > 0
      line, column, start = token.line, token.column, token.start
      token.text.split(/(?<=\n)/).map do |text|
        part = Token.new(:words_sep, text, line, column, token.state, start, start += text.bytesize)
        text.end_with?("\n") ? (line += 1; column = 0) : column += text.bytesize
        part
      end
    end
  end

  private_constant :Token, :Tokens
end

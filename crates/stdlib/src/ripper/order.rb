# When parser events are told.
#
# CRuby tells them while it parses: an event follows the last token of its construct where the grammar leaves no choice
# there (behind an `end` or a bracket that closes), and the token behind that otherwise, because the parser has to look
# at it. The walk over the tree has another order. So it only notes the events, and how many tokens precede each; then
# they are told in the order of that, with what their handlers gave for the events inside.

class Ripper
  module Order
    # An event of the parser. `last` is its last token, `count` how many tokens precede it, both in the order in which
    # tokens are told. What is `late` waits until the event is told that it is a part of.
    class Noted
      attr_reader :name, :values
      attr_accessor :last, :count, :late, :value
      attr_reader :first

      def initialize(name, values, first, last, count)
        @first = first
        @name = name
        @values = values
        @last = last
        @count = count
        # That nothing follows a comma is told of parameters only.
        @late = name == :excessed_comma
      end

      # The translation asks lists of arguments whether they are empty; then there is none.
      def any? = true
    end

    # A token of the tree.
    Leaf = Struct.new(:event, :text, :offset, :last)

    # Those that end with a token behind which nothing of theirs can follow, found by where the tree says that they end.
    CLOSED = %i[
      BEGIN END args_forward array begin block_var brace_block case class def defs do_block for hash if lambda module
      redo regexp_literal retry sclass unless until while
    ].to_h { |name| [name, true] }.freeze
    # Those that end with one of these tokens, the next behind their parts.
    CLOSERS = {
      arg_paren: %i[rparen], mlhs_paren: %i[rparen], paren: %i[rparen], aref: %i[rbracket], aref_field: %i[rbracket],
      string_embexpr: %i[embexpr_end],
      string_literal: %i[tstring_end heredoc_end label_end], xstring_literal: %i[tstring_end heredoc_end],
      dyna_symbol: %i[tstring_end label_end],
    }.freeze
    # Those that are told with their last part.
    FOLLOWING = %i[
      alias alias_error arg_paren assign_error dyna_symbol heredoc_dedent kwrest_param method_add_arg method_add_block
      nokw_param paren regexp_add rest_param string_add string_content string_dvar string_embexpr string_literal symbol
      symbol_literal var_alias blockarg mlhs_paren string_concat word_add xstring_add xstring_literal regexp_new
      xstring_new
    ].to_h { |name| [name, true] }.freeze
    # Those that end with statements: what separates these has been read.
    STATEMENTS = %i[bodystmt else elsif ensure in program rescue when].to_h { |name| [name, true] }.freeze
    # Those without a token, which are told with what they begin.
    HOLLOW = %i[args_new mlhs_new mrhs_new stmts_new void_stmt word_new].to_h { |name| [name, true] }.freeze
    STARTS = %i[backtick heredoc_beg regexp_beg symbeg tstring_beg].freeze
    # What is a list of words, which blanks separate.
    WORDS = %i[qsymbols_add qsymbols_new qwords_add qwords_new symbols_add symbols_new words_add words_new]
      .to_h { |name| [name, true] }.freeze
    # Those that end with a variable in a pattern, where nothing can follow it.
    IN_PATTERNS = %i[binary var_field var_ref].freeze
    SKIPPED = %i[comment embdoc embdoc_beg embdoc_end ignored_nl sp].freeze
    SEPARATORS = %i[nl semicolon].freeze
    # What goes on with a line behind a comment, or is its end.
    CONTINUED = %i[comment nl period].freeze
    # Patterns, which end with a bracket if they have one.
    BRACKETED = %i[aryptn fndptn hshptn].freeze
    BRACKETS = %i[const lbrace lbracket].freeze
    ENDS = %i[rbrace rbracket rparen].freeze
    # Those with conditions of their own, by what asks.
    __set = ->(names) { names.to_h { |name| [name, true] }.freeze }
    EXTENDED = __set.(
      CLOSERS.keys + CLOSED.keys + BRACKETED + %i[bodystmt defined dot2 dot3 mlhs_add_star regexp_new string_content
                                                  xstring_new],
    )
    CONDITIONAL = __set.(BRACKETED + IN_PATTERNS + %i[def defined defs mlhs_add params string_content super yield])
    PLACING = __set.(%i[begin bodystmt brace_block class def defs do_block elsif if in lambda module paren stmts_add
                        unless when])
    WAITED = __set.(%i[args_add args_add_block method_add_arg method_add_block mlhs_add_post mrhs_add mrhs_add_star
                       opassign])
    BRANCHES = %w[else elsif ensure in rescue when].freeze
    TOLD = PARSER_EVENT_TABLE.to_h { |name, _| [name, :"on_#{name}"] }.freeze
    private_constant :CLOSED, :CLOSERS, :FOLLOWING, :STATEMENTS, :HOLLOW, :STARTS, :WORDS, :IN_PATTERNS, :SKIPPED,
                     :SEPARATORS, :CONTINUED, :BRACKETED, :BRACKETS, :ENDS, :EXTENDED, :CONDITIONAL, :PLACING, :WAITED,
                     :BRANCHES, :TOLD

    private

    def __begin_order
      @noted = []
      size = @events.size
      # How many tokens have been read with the one that the parser looks at behind each, and behind separators.
      @ahead = Array.new(size + 1, size)
      @beyond = Array.new(size + 1, size)
      (size - 1).downto(0) do |index|
        event = @events[index]
        skipped = SKIPPED.include?(event) && !(event == :comment && __ends_line?(index))
        @ahead[index] = skipped ? @ahead[index + 1] : index + 1
        @beyond[index] = skipped || event == :comment || SEPARATORS.include?(event) ? @beyond[index + 1] : index + 1
      end
    end

    # Whether a comment stands for the end of its line, which then has no token of its own.
    def __ends_line?(index)
      if @states[index] & (EXPR_BEG | EXPR_FNAME | EXPR_DOT | EXPR_CLASS) != 0 && @states[index] & EXPR_LABELED == 0
        return false
      end
      following = index + 1
      following += 1 while @events[following] == :sp
      # The end of the line before, which is told behind its comments.
      return false if @events[following] == :ignored_nl && @starts[following] < @starts[index]
      !CONTINUED.include?(@events[following]) && @texts[following] != "&."
    end

    # Notes an event; its bounds are the current ones.
    def __note(name, values)
      last = __last(values)
      last = __extent(name, values, last)
      event = Noted.new(name, values, __first(values), last, __count_for(name, values, last))
      __precede(event, values)
      __place_parts(event, values, last) if PLACING[name]
      @noted << event
      event
    end

    # Where parts are told that have no tokens.
    def __place_parts(event, values, last)
      case event.name
      when :def, :defs
        name, parameters, body = values.last(3)
        __place_parameters(parameters, name.last)
        __place_body(body, last) if Noted === parameters && parameters.name == :paren
      when :lambda then __place_parameters(values[0], @at_start[@offset] || -1)
      when :stmts_add
        __place_void(values[0], __beginning(__first(values[1]))) if Noted === values[0] && values[0].name == :stmts_add
      when :do_block, :begin, :module then __place_body(values.last, last)
      when :class then __place_body(values.last, last) unless values[1]
      when :if, :elsif, :unless, :when, :in then __place_branch(values[1], values[2])
      when :bodystmt then __place_branch(values[0], values[1] || values[2] || values[3])
      when :brace_block, :paren then __place_void(values.last, last)
      end
    end

    # Keywords and brackets with which a statement begins are no parts of it.
    def __beginning(index)
      index -= 1 until index <= 0 || __separator?(index - 1)
      index
    end

    # Whether a token separates statements: the end of a line may be that of its comment.
    def __separator?(index)
      SEPARATORS.include?(@events[index]) || @events[index] == :comment && @ahead[index] == index + 1
    end

    # The last token among an event's parts; -1: there is none.
    def __last(values)
      last = -1
      values.each do |value|
        of =
          case value
          when Noted, Leaf then value.last
          when Array then __last(value)
          else next
          end
        last = of if of > last
      end
      last
    end

    # The first token of an event.
    def __first(value)
      case value
      when Noted then value.first
      when Leaf then value.last < 0 ? @events.size : value.last
      when Array
        first = @events.size
        value.each do |element|
          of = __first(element)
          first = of if of < first
        end
        first
      else @events.size
      end
    end

    # The last token of an event.
    def __extent(name, values, last)
      return last if last >= 0 && !EXTENDED[name]
      return last if name == :string_literal && Noted === values[0] && values[0].name == :heredoc_dedent
      if (closers = CLOSERS[name])
        last = @at_start[@offset] || last if last < 0
        closing = ((last + 1)...@events.size).find { |index| closers.include?(@events[index]) }
        return closing || last
      end
      return __opening if name == :string_content || name == :xstring_new || name == :regexp_new
      if last < 0 && !HOLLOW[name] && !%i[bodystmt params stmts_add].include?(name) || CLOSED[name]
        return [last, __count(@end) - 1].max
      end
      return __count(@end) - 1 if name == :defined
      if BRACKETED.include?(name) && BRACKETS.include?(@events[@at_start[@offset] || 0])
        return [last, __count(@end) - 1].max
      end
      # A range without an end ends with its operator.
      if %i[dot2 dot3].include?(name) && values[1].nil?
        return (last + 1...@events.size).find { |index| @events[index] == :op } || last
      end
      # What follows an empty clause is not known.
      return -1 if name == :bodystmt && Noted === values.compact.last && values.compact.last.last < 0
      # The star without a name is no part.
      if name == :mlhs_add_star && values[1].nil?
        return (last + 1...@events.size).find { |index| @texts[index] == "*" } || last
      end
      last
    end

    def __opening
      index = @at_start[@offset] || __count(@offset)
      index -= 1 until STARTS.include?(@events[index]) || index == 0
      index
    end

    def __count_for(name, values, last)
      return @events.size if name == :program
      following = last + 1
      following += 1 while WORDS[name] && @events[following] == :words_sep
      # The text in front of the end of a heredoc is told when that has been read.
      if @events[following] == :heredoc_end && name == :string_add && Leaf === values[1]
        return @begun[following] && @texts[@begun[following]].start_with?("<<~") ? following : following + 1
      end
      if name == :assoclist_from_args
        comma = @ahead[following] - 1
        following = comma + 1 if @events[comma] == :comma
      end
      return following if __ends?(name, values, last)
      return @ahead[following] unless STATEMENTS[name]
      beyond = @beyond[following]
      @texts[beyond - 1] == "then" && @events[beyond - 1] == :kw ? @beyond[beyond] : beyond
    end

    # Whether nothing can follow what ends with the token.
    def __ends?(name, values, last)
      return FOLLOWING[name] || CLOSED[name] unless CONDITIONAL[name]
      case name
      when :def, :defs then @texts[last] == "end"
      when :defined
        opening = (@at_start[@offset] || 0) + 1
        opening += 1 while @events[opening] == :sp
        @events[opening] == :lparen && @events[last] == :rparen
      when :yield, :super then Noted === values[0] && %i[paren arg_paren].include?(values[0].name)
      when :mlhs_add then Leaf === values[1]
      when *BRACKETED then ENDS.include?(@events[last]) && BRACKETS.include?(@events[@at_start[@offset] || 0])
      when :params then Noted === values[6]
      when :string_content then @events[last] != :symbeg
      when *IN_PATTERNS then @pattern && values.none?(nil)
      else FOLLOWING[name] || CLOSED[name]
      end
    end

    # What the event consists of precedes it.
    def __precede(event, value)
      case value
      when Array then value.each { |element| __precede(event, element) }
      when Noted
        value.late = (value.last < 0 || WAITED[event.name] && __waits?(event, value)) &&
          !(value.name == :excessed_comma && event.name == :params)
        event.count = value.count if !value.late && value.count > event.count
      end
    end

    # Whether a part is told only with the event, though it ends before.
    def __waits?(event, value)
      case event.name
      when :method_add_arg then %i[fcall call].include?(value.name)
      when :mlhs_add_post then value.name == :mlhs_add_star
      when :method_add_block then value.name == :method_add_arg && value.values[1].name == :args_new
      when :opassign then %i[aref_field const_path_field field].include?(value.name)
      when :mrhs_add, :mrhs_add_star then value.name == :mrhs_new_from_args
      when :args_add_block
        pairs = value.values[1] if value.name == :args_add
        Noted === pairs && pairs.name == :bare_assoc_hash && (pairs.late = true)
      when :args_add then Noted === value && value.name == :bare_assoc_hash && event.values[0].name == :args_new
      else false
      end
    end

    # Parameters that are not there are told where they could stand.
    def __place_parameters(parameters, after)
      return unless Noted === parameters && parameters.name == :params && parameters.last < 0
      parameters.late = false
      parameters.count = @ahead[after + 1]
    end

    def __place_body(body, last)
      __place_void(body.values[0], last) if Noted === body && body.name == :bodystmt
    end

    # The branch in front of another.
    def __place_branch(void, following)
      return unless Noted === void && void.last < 0 && Noted === following
      at = __first(following) - 1
      at -= 1 until at < 0 || @events[at] == :kw && BRANCHES.include?(@texts[at])
      return if at < 0
      void.late = false
      void.count = at + 1
    end

    # Statements that are not there are told with what follows the beginning of the list: a semicolon,
    # or what is behind.
    def __place_void(void, following)
      return unless Noted === void && void.last < 0
      at = nil
      following -= 1
      while following >= 0 && (SKIPPED.include?(@events[following]) || __separator?(following))
        at = following if __separator?(following)
        following -= 1
      end
      return unless at
      void.late = false
      void.count = at + 1
    end

    # Tells all that has been noted; what the handler of the last event gave.
    def __tell_noted(root)
      size = @noted.size
      order = @noted.each_index.sort_by { |index| @noted[index].count * size + index }
      order.each { |index| __tell_event(@noted[index]) unless @noted[index].late }
      __tell_event(root) if root.late
      root.value
    end

    def __tell_event(event)
      __flush(event.count)
      values = event.values.map { |value| __given(value) }
      __at_end
      event.value = @ripper.__send__(TOLD[event.name], *values)
    end

    # What the handlers gave for a part of an event.
    def __given(value)
      case value
      when Noted
        __tell_event(value) if value.late
        value.value
      when Leaf then __leaf_value(value)
      when Array then value.map { |element| __given(element) }
      else value
      end
    end

    # What the handler of a token gave, or gives for the text when it is no token of its own.
    def __leaf_value(leaf)
      index = @at_start[leaf.offset]
      if index
        __flush(index + 1)
        return @values[leaf.offset] if @events[index] == leaf.event || @texts[index] == leaf.text
      end
      line, column = __position(leaf.offset)
      @ripper.__at(line, column, @ripper.state || EXPR_BEG, leaf.text)
      @ripper.__send__(HANDLERS[leaf.event], leaf.text)
    end

    # Handlers of events see the end of the last token.
    def __at_end
      return @ripper.__at(@ripper.__first_line, 0, EXPR_BEG, nil) if @at == 0
      state = @states[@at - 1]
      # Behind a heredoc the line goes on with which it began.
      last = @begun[@at - 1] || @at - 1
      # The comments behind the end of a line have been read before it.
      if last > 0 && @events[last] == :nl && @events[last - 1] == :comment && @starts[last - 1] > @starts[last]
        last -= 1
      end
      text = @texts[last]
      line = @lines[last]
      return @ripper.__at(line, @columns[last] + __rest_of_line(last), state, text) if @events[@at - 1] == :heredoc_beg
      rows = text.b.count("\n")
      return @ripper.__at(line, @columns[last] + text.bytesize, state, text) if rows == 0
      # The next line is the one behind the heredocs that began in this.
      if rows == 1 && text.end_with?("\n")
        return @ripper.__at(@resumed[line] || line, @columns[last] + text.bytesize, state, text)
      end
      rows -= 1 if text.end_with?("\n")
      @ripper.__at(line + rows, text.b[/[^\n]*\n?\z/n].bytesize, state, text)
    end

    # The bytes from a token to the end of its line.
    def __rest_of_line(index)
      (@bytes.byteindex("\n", @starts[index])&.succ || @bytes.bytesize) - @starts[index]
    end
  end

  private_constant :Order
end

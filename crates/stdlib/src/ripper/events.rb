# Calls the handlers of a Ripper: a walk over the tree says which parser events there are.

require "prism"

class Ripper
  class Events < Prism::Translation::Ripper
    def initialize(ripper)
      super(ripper.__source, ripper.filename, ripper.__first_line)
      @ripper = ripper
      @offset = @end = 0
      @heredocs = []
      @broken = false
    end

    def run
      result = Prism.parse_lex(@source, filepath: @filename, line: @lineno, encoding: @source.encoding, partial_script: true, version: "current")
      node, tokens = result.value
      encoding = tokens.last.first.value.encoding
      @ripper.__decoded(encoding)
      @magic = result.magic_comments.to_h { |comment| [comment.key_loc.start_line, comment] }
      @ripper.__ended if result.data_loc
      @ripper.__failed unless result.errors.empty?
      @queue = Tokens.new(@source.b, tokens).list
      @queue.each { |token| token.text = token.text.dup.force_encoding(encoding) }
      @values = {}
      @at = 0
      __index
      errors = result.errors.uniq { |error| [error.type, error.location.start_offset] }
      @troubles = (errors + result.warnings).sort_by.with_index { |trouble, index| [__place(trouble), index] }
      value = node.accept(self) if result.errors.all? { |error| WHOLE.include?(error.type) }
      __flush(@queue.size)
      __tell(@troubles.shift) until @troubles.empty?
      value if result.errors.empty?
    end

    # Errors in spite of which the tree is whole.
    WHOLE = %i[
      argument_formal_class argument_formal_constant argument_formal_global argument_formal_ivar argument_no_forwarding_ampersand
      argument_no_forwarding_star argument_no_forwarding_star_star def_endless_setter invalid_block_exit invalid_retry_after_else
      invalid_retry_after_ensure invalid_retry_without_rescue invalid_yield parameter_name_duplicated return_invalid write_target_in_method
    ].freeze
    private_constant :WHOLE

    private

    # `@upto[i]`: how many tokens have been reported when that with the i-th start has been, in order of starts.
    def __index
      order = @queue.each_with_index.map { |token, index| [token.start, index] }.sort
      @starts = order.map(&:first)
      @upto = order.map { |_, index| index + 1 }
      @at_start = {}
      @queue.each_with_index { |token, index| @at_start[token.start] ||= index unless token.text.empty? }
    end

    def __flush_before(offset)
      count = @starts.bsearch_index { |start| start >= offset } || @starts.size
      __flush(@upto[count - 1]) if count > 0
    end

    def __flush(count)
      while @at < count
        token = @queue[@at]
        __tell(@troubles.shift) while @troubles.first && __place(@troubles.first) <= token.start
        @at += 1
        __magic(token) if token.event == :comment
        @ripper.__at(token.line, token.column, token.state, token.text)
        @values[token.start] = __report_token(token.event, token.text)
      end
    end

    def __magic(token)
      comment = @magic.delete(token.line) or return
      @ripper.__at(token.line, token.column, token.state, token.text)
      @ripper.__on_magic_comment(comment.key.tr("-", "_"), comment.value)
    end

    def bounds(location)
      @offset = location.start_offset
      @end = location.end_offset
    end

    # A token of the tree: what its handler gave, or gives for the text when it is no token of its own.
    def __scanned(event, text)
      index = @at_start[@offset]
      if index
        __flush(index + 1)
        return @values[@offset] if @queue[index].event == event || @queue[index].text == text
      end
      line, column = __position(@offset)
      @ripper.__at(line, column, @ripper.state || EXPR_BEG, text)
      __report_token(event, text)
    end

    def __position(offset)
      index = @upto.empty? ? nil : (@starts.bsearch_index { |start| start > offset } || @starts.size) - 1
      return [@ripper.__first_line, offset] if index.nil? || index < 0
      token = @queue.find { |candidate| candidate.start == @starts[index] }
      before = token.text.byteslice(0, offset - token.start)
      lines = before.count("\n")
      lines == 0 ? [token.line, token.column + offset - token.start] : [token.line + lines, before.bytesize - before.b.rindex("\n") - 1]
    end

    # What only begins has no tokens of its own; parameters that are not there are said to be where the definition is.
    opening = PARSER_EVENT_TABLE.filter_map { |name, arity| name if arity == 0 }
    OPENING = (opening - %i[zsuper yield0 return0 redo retry args_forward excessed_comma] + %i[params]).freeze

    # What handlers gave for arguments that are there: the translation asks it whether there are any.
    Given = Struct.new(:value) do
      def any? = true
    end

    def visit_call_node_arguments(arguments, block, comma)
      given = arguments || Prism::BlockArgumentNode === block
      list, block = super
      [given ? Given.new(list) : list, block]
    end

    ARGUMENTS = %i[aref aref_field arg_paren break command command_call next paren return super yield].freeze

    PARENTHESES = %i[paren arg_paren].freeze

    # The parenthesis that closes, when nothing else precedes it.
    def __flush_closing
      index = @at
      index += 1 while @queue[index] && %i[sp nl ignored_nl comment].include?(@queue[index].event)
      __flush(index + 1) if @queue[index]&.event == :rparen
    end

    PARSER_EVENT_TABLE.each do |name, arity|
      list = ("a".."g").first(arity).join(", ")
      edge = OPENING.include?(name) ? "@offset" : "@end"
      closing = "__flush_closing\n" if PARENTHESES.include?(name)
      values = ARGUMENTS.include?(name) ? list.split(", ").map { |value| "(Given === #{value} ? #{value}.value : #{value})" }.join(", ") : list
      Primitive.ripper_define(self, "def on_#{name}(#{list})\n__flush_before(#{edge})\n#{closing}@ripper.__on_#{name}(#{values})\nend")
    end

    SCANNER_EVENT_TABLE.each_key { |name| Primitive.ripper_define(self, "def on_#{name}(text) = __scanned(:#{name}, text)") }
    cases = SCANNER_EVENT_TABLE.each_key.map { |name| "when :#{name} then @ripper.__on_#{name}(text)" }
    Primitive.ripper_define(self, "def __report_token(event, text)\ncase event\n#{cases.join("\n")}\nend\nend")

    %i[visit_heredoc_string_node visit_heredoc_x_string_node].each do |name|
      define_method(name) do |node|
        @heredocs.push([@at_start[node.opening_loc.start_offset], @at_start[node.closing_loc.start_offset]])
        super(node)
      ensure
        @heredocs.pop
      end
    end

    # Clauses are visited as they stand, and put together from the last one on.
    def visit_case_node(node) = __case(node) { |clause, following| on_when(*clause, following) }
    def visit_case_match_node(node) = __case(node) { |clause, following| on_in(*clause, following) }

    public :visit_case_node, :visit_case_match_node

    def __case(node)
      predicate = visit(node.predicate)
      clauses = node.conditions.map { |condition| visit(condition) }
      last = visit(node.else_clause)
      bounds(node.location)
      on_case(predicate, clauses.reverse_each.inject(last) { |following, clause| yield clause, following })
    end

    # The text of a heredoc is that of its tokens: the tree does not have what is empty once the indentation is gone.
    def visit_heredoc_node(parts, base)
      opening, closing = @heredocs.last
      return base unless opening && closing
      contents = __contents(opening, closing)
      embedded = parts.reject { |part| Prism::StringNode === part }
      items = (contents + embedded).sort_by { |item| Token === item ? item.start : item.location.start_offset }
      bounds(parts.first.location)
      result = items.inject(base) do |content, item|
        if Token === item
          @offset, @end = item.start, item.stop
          yield content, __scanned(:tstring_content, item.text)
        else
          yield content, visit(item)
        end
      end
      width = @queue[opening].text.start_with?("<<~") ? Tokens.indentation(contents) || 0 : 0
      return result if width == 0
      # Where it ends all its tokens have been reported, and none that follow.
      __flush(closing + 1)
      @ripper.__on_heredoc_dedent(result, width)
    end

    # The pieces of text of a heredoc that are not in what it embeds.
    def __contents(opening, closing)
      depth = 0
      @queue[opening + 1...closing].select do |token|
        case token.event
        when :embexpr_beg, :heredoc_beg, :tstring_beg, :backtick, :regexp_beg, :symbols_beg, :qsymbols_beg, :words_beg, :qwords_beg then depth += 1
        when :embexpr_end, :heredoc_end, :tstring_end, :regexp_end, :label_end then depth -= 1
        end
        depth == 0 && token.event == :tstring_content
      end
    end

    # Where Ripper tells it: that something does not end is known at the end, with the last token.
    def __place(trouble)
      start = trouble.location.start_offset
      return start unless Prism::ParseError === trouble && !@queue.empty?
      last = @starts.last
      trouble.type.end_with?("_term") || trouble.type == :embexpr_end || UNTERMINATED.key?(trouble.type) ? last : [start, last].min
    end

    def __tell(trouble)
      location = trouble.location
      index = @at_start[__place(trouble)]
      token = index && @queue[index]
      if token && Prism::ParseError === trouble
        @ripper.__at(token.line, token.column, token.state, token.text)
      else
        @ripper.__at(location.start_line, location.start_column, @ripper.state || EXPR_BEG, location.slice)
      end
      Prism::ParseError === trouble ? __report(trouble, location) : __warn(trouble)
    end

    def __warn(warning)
      message = warning.message
      case warning.type
      when :ambiguous_first_argument_plus then @ripper.__on_arg_ambiguous("+")
      when :ambiguous_first_argument_minus then @ripper.__on_arg_ambiguous("-")
      when :ambiguous_slash then @ripper.__on_arg_ambiguous("/")
      when :void_statement, :unused_local_variable, :unreachable_statement, :literal_in_condition_default, :literal_in_condition_verbose then nil # not of a grammar
      when :ambiguous_binary_operator
        @ripper.__on_operator_ambiguous(message[/\A'(.+?)'/, 1].to_sym, message[/seems like (?:an? )?(.+)\z/, 1] || "argument prefix")
      else
        format, values = __formatted(warning)
        warning.level == :default || warning.type == :indentation_mismatch ? @ripper.__warn(format, *values) : @ripper.__warning(format, *values)
      end
    end

    # The message as a format, and what belongs into it.
    def __formatted(warning)
      message = warning.message
      case warning.type
      when :duplicated_hash_key
        if (key, line = message.match(/key (.+) is duplicated and overwritten on line (\d+)/m)&.captures)
          return ["key %+PRIsVALUE is duplicated and overwritten on line %d", [key.start_with?(":") ? key[1..].to_sym : key, line.to_i]]
        end
      when :duplicated_when_clause
        return ["'when' clause on line %d duplicates 'when' clause on line %d and is ignored", message.scan(/\d+/).map(&:to_i)]
      when :ignored_frozen_string_literal then return ["'%s' is ignored after any tokens", ["frozen_string_literal"]]
      when :invalid_magic_comment_value
        values = message.match(/value for (.+?): (.*)\z/m)&.captures
        return ["invalid value for %s: %s", values] if values
      when :indentation_mismatch
        if (last, first, line = message.match(/at '(.+?)' with '(.+?)' at (\d+)/m)&.captures)
          return ["mismatched indentations at '%s' with '%s' at %d", [last, first, line.to_i]]
        end
      end
      [message, []]
    end

    # Errors that Ripper's scanner finds, or that need more than the grammar.
    COMPILE_ERRORS = %i[
      incomplete_variable_instance incomplete_variable_class invalid_variable_global instance_variable_bare class_variable_bare
      global_variable_bare heredoc_identifier argument_no_forwarding_ampersand
      argument_no_forwarding_ellipses argument_no_forwarding_star argument_no_forwarding_star_star regexp_term string_literal_eof
      string_literal_term string_interpolated_term xstring_term heredoc_term embdoc_term list_w_lower_term list_w_upper_term list_i_lower_term
      list_i_upper_term invalid_multibyte_character invalid_character invalid_printable_character invalid_multibyte_char invalid_retry_after_else
      invalid_retry_after_ensure invalid_retry_without_rescue return_invalid invalid_block_exit invalid_yield
    ].freeze
    UNTERMINATED = {
      regexp_term: "unterminated regexp meets end of file", string_literal_eof: "unterminated string meets end of file",
      string_literal_term: "unterminated string meets end of file", string_interpolated_term: "unterminated string meets end of file",
      heredoc_identifier: "unterminated here document identifier", xstring_term: "unterminated string meets end of file", embdoc_term: "embedded document meets end of file",
      list_w_lower_term: "unterminated list meets end of file", list_w_upper_term: "unterminated list meets end of file",
      list_i_lower_term: "unterminated list meets end of file", list_i_upper_term: "unterminated list meets end of file",
    }.freeze
    PARAMETERS = { class: "a class variable", constant: "a constant", global: "a global variable", ivar: "an instance variable" }.freeze
    private_constant :Given, :ARGUMENTS, :OPENING, :PARENTHESES, :COMPILE_ERRORS, :UNTERMINATED, :PARAMETERS

    def __report(error, location)
      case error.type
      when :alias_argument, :alias_argument_numbered_reference
        @ripper.__on_alias_error("can't make alias for the number variables", __value(location))
      when :argument_formal_class, :argument_formal_constant, :argument_formal_global, :argument_formal_ivar
        kind = PARAMETERS.fetch(error.type.name.delete_prefix("argument_formal_").to_sym)
        @ripper.__on_param_error("formal argument cannot be #{kind}", __value(location))
      when :class_name, :module_name then @ripper.__on_class_name_error("class/module name must be CONSTANT", __value(location))
      when :write_target_in_method then @ripper.__on_assign_error("dynamic constant assignment", __value(location))
      when :write_target_readonly then @ripper.__on_assign_error("Can't set variable #{location.slice}", __value(location))
      when *COMPILE_ERRORS then @ripper.__compile_error(__compile_message(error))
      else
        return @ripper.__on_assign_error(error.message, __value(location)) if error.type.start_with?("expression_not_writable_")
        # A parser that does not go on behind its first error tells no more.
        @ripper.__on_parse_error(error.message) unless @broken
        @broken = true
      end
    end

    def __compile_message(error)
      return "can't find string #{error.message[/unterminated heredoc; can't find string (".*?")/, 1]} anywhere before EOF" if error.type == :heredoc_term
      UNTERMINATED[error.type] || error.message
    end

    # What the handler of the token at a place gave.
    def __value(location)
      index = @at_start[location.start_offset]
      index ? (__flush(index + 1); @values[location.start_offset]) : location.slice
    end
  end

  private_constant :Events
end

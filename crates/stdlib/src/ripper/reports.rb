# Reports tokens, errors and warnings to the handlers of a Ripper.

class Ripper
  module Reports
    # Events of which only the tree knows, and the others: those of tokens and what is found with them.
    OTHERS = %i[
      alias_error arg_ambiguous assign_error class_name_error heredoc_dedent magic_comment operator_ambiguous
      param_error parse_error
    ].freeze
    WALKED = (PARSER_EVENT_TABLE.keys - OTHERS).map { |name| :"on_#{name}" }.freeze
    UNWALKED = ((SCANNER_EVENT_TABLE.keys + OTHERS).map { |name| :"on_#{name}" } + %i[compile_error warn warning])
      .freeze
    BLANKS = %i[comment embdoc embdoc_beg embdoc_end ignored_nl nl sp].freeze
    HANDLERS = SCANNER_EVENT_TABLE.to_h { |name, _| [name, :"on_#{name}"] }.freeze

    # Finds all tokens; nil when there are no remarks, else what the `prism` gem says besides the tree.
    def __scan
      source = @ripper.__source
      encoding, ended, failed, facts, @events, @texts, @lines, @columns, @states, @starts, @stops, @sorted, @upto,
      dedents, moved =
        Primitive.ripper_scan(source, @ripper.filename, @ripper.__first_line, source.encoding.name, true)
      @ripper.__scanned(encoding, ended, failed)
      @dedents = Hash[*dedents]
      @moved = Hash[*moved]
      @at = 0
      @broken = false
      @troubles = @magic = nil
      facts
    end

    # Takes over what is to be told between the tokens.
    def __remarks(result)
      @magic = result.magic_comments.reject { |comment| comment.key.empty? }.group_by do |comment|
        comment.key_loc.start_line
      end
      errors = result.errors.reject { |error| UNSEEN.include?(error.type) }.uniq do |error|
        [error.type, error.location.start_offset]
      end
      if Prism::Node === result.value
        errors.reject! do |error|
          error.type == :invalid_block_exit && __in_loop?(result.value, error.location.start_offset)
        end
      end
      @ripper.__sound if errors.empty?
      # Whether a list that does not end has elements does not matter.
      if errors.any? { |error| error.type.start_with?("list_") && error.type.end_with?("_term") }
        errors.reject! { |error| /\Alist_._(?:lower|upper)_element\z/.match?(error.type) }
      end
      @at_start = {}
      @last_word = @starts.zip(@events).reduce(0) do |last, (start, event)|
        BLANKS.include?(event) || start < last ? last : start
      end
      @starts.each_with_index { |start, index| @at_start[start] ||= index }
      @troubles = (errors + result.warnings).sort_by.with_index { |trouble, index| [__place(trouble), index] }
      @places = @troubles.map { |trouble| __place(trouble) }
    end

    # Whether a loop or block is around a place, be there a method or class in between:
    # Ripper's parser then takes `break` for one of its own.
    def __in_loop?(node, offset)
      until node.nil?
        return true if LOOPS.include?(node.type)
        node = node.compact_child_nodes.find do |child|
          child.location.start_offset <= offset && offset < child.location.end_offset
        end
      end
      false
    end

    # Tells what has not been told.
    def __finish
      __flush(@events.size)
      __next_trouble until @troubles.empty?
    end

    # Keys that mean something: where their values begin is the place of what is told.
    KNOWN_KEYS = %w[coding encoding frozen_string_literal shareable_constant_value warn_indent].freeze
    private_constant :KNOWN_KEYS

    private

    def __flush(count)
      while @at < count
        at = @at
        start = @starts[at]
        text = @texts[at]
        event = @events[at]
        # Telling it may report tokens.
        next __next_trouble if @troubles && @troubles.first && @places.first <= start
        @at = at + 1
        __magic(at) if event == :comment && @magic
        @ripper.__at(@lines[at], @columns[at], @states[at], text)
        value = @ripper.__send__(HANDLERS[event], text)
        @values[start] = value if @values
      end
    end

    def __next_trouble
      @places.shift
      __tell(@troubles.shift)
    end

    def __magic(at)
      @magic.delete(@lines[at])&.each do |comment|
        key = comment.key.b.tr("-", "_").force_encoding(comment.key.encoding)
        column = KNOWN_KEYS.include?(key.b.downcase) ? comment.value_loc.start_column : @columns[at]
        @ripper.__at(@lines[at], column, @states[at], @texts[at])
        @ripper.__on_magic_comment(key, comment.value)
      end
    end

    # Where Ripper tells it: that something does not end, or that nothing follows, is known at the end,
    # with the last token.
    def __place(trouble)
      start = trouble.location.start_offset
      return start unless Prism::ParseError === trouble && !@events.empty?
      if trouble.type.start_with?("escape_") || trouble.type == :invalid_escape_character
        start = @moved.fetch(start, start)
      end
      return start if trouble.type == :heredoc_term
      last = @sorted.last
      lacks_end = trouble.type.match?(/_term(?:_|\z)/) && !trouble.message.start_with?("unexpected ")
      at_end = lacks_end || trouble.type == :embexpr_end || UNTERMINATED.key?(trouble.type)
      if at_end || start >= @last_word && !COMPILE_ERRORS.include?(trouble.type) && !JUMP_ERRORS.include?(trouble.type)
        last
      else
        [start, last].min
      end
    end

    def __tell(trouble)
      location = trouble.location
      index = @at_start[__place(trouble)]
      if trouble.type == :escape_invalid_unicode_literal
        rest = @ripper.__source.byteslice(location.start_offset..)
        @ripper.__at(location.start_line, location.start_column, @ripper.state || EXPR_BEG, rest[/\A\h*/])
      elsif index && Prism::ParseError === trouble
        if %i[nl ignored_nl].include?(@events[index]) && !trouble.type.end_with?("_term")
          return __tell_behind(index, trouble, location)
        end
        @ripper.__at(@lines[index], @columns[index], @states[index], @texts[index])
      else
        @ripper.__at(location.start_line, location.start_column, @ripper.state || EXPR_BEG, location.slice)
      end
      Prism::ParseError === trouble ? __report(trouble, location) : __warn(trouble)
    end

    # The end of a line has been reported when the parser finds that it may not be there: then there is no token.
    def __tell_behind(index, trouble, location)
      __flush(index + 1) if @at == index
      @ripper.__at(@lines[index], @columns[index] + @texts[index].bytesize, @states[index], "")
      __report(trouble, location)
    end

    def __warn(warning)
      message = warning.message
      case warning.type
      when :ambiguous_first_argument_plus then @ripper.__on_arg_ambiguous("+")
      when :ambiguous_first_argument_minus then @ripper.__on_arg_ambiguous("-")
      when :ambiguous_slash then @ripper.__on_arg_ambiguous("/")
      when :void_statement, :unused_local_variable, :unreachable_statement, :literal_in_condition_default,
           :literal_in_condition_verbose
        nil # not of a grammar
      when :ambiguous_binary_operator
        @ripper.__on_operator_ambiguous(message[/\A'(.+?)'/, 1].to_sym,
                                        message[/seems like (?:an? )?(.+)\z/, 1] || "argument prefix")
      else
        format, values = __formatted(warning)
        if warning.level == :default || warning.type == :indentation_mismatch
          @ripper.__warn(format, *values)
        else
          @ripper.__warning(format, *values)
        end
      end
    end

    # The message as a format, and what belongs into it.
    def __formatted(warning)
      message = warning.message
      case warning.type
      when :duplicated_hash_key
        if (key, line = __captures(message, /key (.+) is duplicated and overwritten on line (\d+)/mn))
          return ["key %+PRIsVALUE is duplicated and overwritten on line %d",
                  [key.start_with?(":") ? key[1..].to_sym : key, line.to_i]]
        end
      when :duplicated_when_clause
        return ["'when' clause on line %d duplicates 'when' clause on line %d and is ignored",
                message.b.scan(/\d+/).map(&:to_i)]
      when :ignored_frozen_string_literal then return ["'%s' is ignored after any tokens", ["frozen_string_literal"]]
      when :invalid_magic_comment_value
        values = __captures(message, /value for (.+?): (.*)\z/mn)
        return ["invalid value for %s: %s", values] if values
      when :indentation_mismatch
        if (last, first, line = __captures(message, /at '(.+?)' with '(.+?)' at (\d+)/mn))
          return ["mismatched indentations at '%s' with '%s' at %d", [last, first, line.to_i]]
        end
      end
      [message, []]
    end

    # What groups of a pattern match in a message, which may quote damaged bytes.
    def __captures(message, pattern) = message.b.match(pattern)&.captures&.map { it.force_encoding(message.encoding) }

    LOOPS = %i[block_node for_node lambda_node until_node while_node].freeze
    # Errors that CRuby finds only when it compiles the tree.
    UNSEEN = %i[pattern_capture_in_alternative].freeze
    # Errors that Ripper's scanner finds, or that need more than the grammar.
    COMPILE_ERRORS = %i[
      incomplete_variable_instance incomplete_variable_class invalid_variable_global instance_variable_bare
      class_variable_bare global_variable_bare heredoc_identifier argument_no_forwarding_ampersand
      argument_no_forwarding_ellipses argument_no_forwarding_star argument_no_forwarding_star_star regexp_term
      string_literal_eof string_literal_term string_interpolated_term xstring_term heredoc_term embdoc_term
      list_w_lower_term list_w_upper_term list_i_lower_term list_i_upper_term invalid_multibyte_character
      invalid_character invalid_printable_character invalid_multibyte_char invalid_number_underscore_trailing
      no_local_variable
    ].freeze
    # Jumps out of nothing and values of jumps, behind which the parser goes on.
    JUMP_ERRORS = %i[
      invalid_block_exit invalid_retry_after_else invalid_retry_after_ensure invalid_retry_without_rescue invalid_yield
      return_invalid void_expression
    ].freeze
    UNTERMINATED = {
      regexp_term: "unterminated regexp meets end of file", string_literal_eof: "unterminated string meets end of file",
      string_literal_term: "unterminated string meets end of file",
      string_interpolated_term: "unterminated string meets end of file",
      heredoc_identifier: "unterminated here document identifier",
      xstring_term: "unterminated string meets end of file", embdoc_term: "embedded document meets end of file",
      list_w_lower_term: "unterminated list meets end of file",
      list_w_upper_term: "unterminated list meets end of file",
      list_i_lower_term: "unterminated list meets end of file",
      list_i_upper_term: "unterminated list meets end of file",
    }.freeze
    ALIAS_MESSAGE = "can't make alias for the number variables"
    PARAMETERS = { class: "a class variable", constant: "a constant", global: "a global variable",
                   ivar: "an instance variable" }.freeze
    private_constant :COMPILE_ERRORS, :JUMP_ERRORS, :UNTERMINATED, :PARAMETERS

    def __report(error, location)
      case error.type
      when :alias_argument, :alias_argument_numbered_reference
        @ripper.__on_alias_error(ALIAS_MESSAGE, __value(location))
      when :argument_formal_class, :argument_formal_constant, :argument_formal_global, :argument_formal_ivar
        kind = PARAMETERS.fetch(error.type.name.delete_prefix("argument_formal_").to_sym)
        @ripper.__on_param_error("formal argument cannot be #{kind}", __value(location))
      when :invalid_local_variable_write
        unless location.slice.end_with?("?", "!") && @events[@at_start[location.start_offset] || 0] == :label
          return __parse_error(error.message)
        end
        @ripper.__on_param_error("formal argument must be local variable", __value(location))
      when :class_name, :module_name
        @ripper.__on_class_name_error("class/module name must be CONSTANT", __value(location))
      when *JUMP_ERRORS then @broken || @ripper.__on_parse_error(error.message.delete_prefix("unexpected "))
      when *COMPILE_ERRORS then @ripper.__compile_error(__compile_message(error))
      else
        message = __assign_message(error)
        return @ripper.__on_assign_error(message, __value(location)) if message
        __parse_error(__parse_message(error))
      end
    end

    # The message of an error about what cannot be assigned to; nil for others.
    def __assign_message(error)
      case error.type
      when :write_target_in_method then "dynamic constant assignment"
      when :write_target_readonly then "Can't set variable #{error.location.slice}"
      when /\Aexpression_not_writable_/ then error.message
      end
    end

    # A parser that does not go on behind its first error tells no more; its scanner does.
    def __parse_error(message)
      @ripper.__on_parse_error(message) unless @broken
      @broken = true
    end

    def __parse_message(error)
      case error.type
      when :escape_invalid_hexadecimal then "invalid hex escape"
      when :escape_invalid_unicode_literal then "Multiple codepoints at single character literal"
      when /\Aescape_invalid_unicode/ then "invalid Unicode escape"
      when :escape_invalid_control_repeat, :escape_invalid_meta_repeat then "Invalid escape character syntax"
      else error.message
      end
    end

    def __compile_message(error)
      if error.type == :heredoc_term
        return "can't find string #{error.message[/unterminated heredoc; can't find string (".*?")/, 1]} anywhere " \
               "before EOF"
      end
      UNTERMINATED[error.type] || error.message
    end

    # What the handler of the token at a place gave.
    def __value(location)
      index = @at_start[location.start_offset]
      index && (__flush(index + 1); @values[location.start_offset])
    end
  end

  # Tokens without parser events: the values of the others' handlers are nil.
  class TokenReports
    include Reports

    def initialize(ripper)
      @ripper = ripper
    end

    def run
      facts = __scan
      if facts
        require "prism"
        @values = {}
        __remarks(Prism.__send__(:__facts, @ripper.__source, facts))
      end
      @dedents.each do |index, width|
        __flush(index + 1)
        @ripper.__on_heredoc_dedent(nil, width)
      end
      facts ? __finish : __flush(@events.size)
      nil
    end
  end

  private_constant :Reports, :TokenReports
end

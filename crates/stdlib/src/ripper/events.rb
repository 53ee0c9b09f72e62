# Calls the handlers of a Ripper: a walk over the tree says which parser events there are.

require "prism"

class Ripper
  class Events < Prism::Translation::Ripper
    include Reports
    include Order

    def initialize(ripper)
      super(ripper.__source, ripper.filename, ripper.__first_line)
      @ripper = ripper
      @offset = @end = 0
      @heredocs = []
    end

    def run
      result = Prism.parse(@source, filepath: @filename, line: @lineno, encoding: @source.encoding, version: "current")
      @values = {}
      @bytes = @ripper.__source.b
      __scan
      __remarks(result)
      if result.errors.all? { |error| WHOLE.include?(error.type) || DEFERRED.include?(error.type) }
        __defer
        __begin_order
        __begin_heredocs
        root = result.value.accept(self)
        __restore
        value = __tell_noted(root)
      end
      __finish
      value
    end

    # Errors in spite of which the tree is whole.
    WHOLE = %i[
      argument_formal_class argument_formal_constant argument_formal_global argument_formal_ivar
      argument_no_forwarding_ampersand argument_no_forwarding_star argument_no_forwarding_star_star def_endless_setter
      invalid_block_exit invalid_retry_after_else invalid_retry_after_ensure invalid_retry_without_rescue invalid_yield
      no_local_variable parameter_name_duplicated pattern_capture_in_alternative return_invalid void_expression
      write_target_in_method
    ].freeze
    # Errors that are told with the construct that they are about, which is given to their handler.
    DEFERRED = %i[
      alias_argument_numbered_reference expression_not_writable_encoding expression_not_writable_false
      expression_not_writable_file expression_not_writable_line expression_not_writable_nil
      expression_not_writable_numbered expression_not_writable_self expression_not_writable_true write_target_in_method
      write_target_readonly
    ].freeze
    private_constant :WHOLE, :DEFERRED

    private

    # Takes such errors out of what is told with the tokens, and puts back those that no construct has asked for.
    def __defer
      @deferred, @troubles = @troubles.partition { |trouble| DEFERRED.include?(trouble.type) }
      @places = @troubles.map { |trouble| __place(trouble) }
    end

    def __restore
      return unless @deferred
      @troubles.concat(@deferred)
      @places.concat(@deferred.map { |trouble| __place(trouble) })
    end

    # The error about what lies between two places: it begins there, or at the operator behind it.
    def __deferred(from, to)
      return if @deferred.nil? || @deferred.empty?
      index = @deferred.index do |error|
        start = error.location.start_offset
        start == from ||
          start >= to && error.type.start_with?("expression_not") && @source.byteslice(to, start - to).match?(/\A\s*\z/)
      end
      index && @deferred.delete_at(index)
    end

    # A target; in its place what the handler of the error gives when it may not be one.
    def __target(from, to)
      error = __deferred(from, to)
      value = yield
      error ? __note(:assign_error, [__assign_message(error), value]) : value
    end

    def bounds(location)
      @offset = location.start_offset
      @end = location.end_offset
    end

    # A token of the tree.
    def __scanned(event, text) = Leaf.new(event, text, @offset, @at_start[@offset] || -1)

    # The tokens that begin heredocs, by those that end them.
    def __begin_heredocs
      @begun = {}
      @resumed = {}
      open = []
      @events.each_with_index do |event, index|
        case event
        when :heredoc_beg then open.push(index)
        when :heredoc_end
          @begun[index] = open.pop
          @resumed[@lines[@begun[index]]] = @lines[index] if @begun[index] && @stops[index] < @bytes.bytesize
        end
      end
    end

    # How many tokens have been told with those in front of a place.
    def __count(offset)
      found = @sorted.bsearch_index { |start| start >= offset } || @sorted.size
      found == 0 ? 0 : @upto[found - 1]
    end

    def __position(offset)
      index = (@sorted.bsearch_index { |start| start > offset } || @sorted.size) - 1
      return [@ripper.__first_line, offset] if index < 0
      at = @upto[index] - 1
      before = @texts[at].byteslice(0, offset - @starts[at])
      lines = before.count("\n")
      return [@lines[at], @columns[at] + offset - @starts[at]] if lines == 0
      [@lines[at] + lines, before.bytesize - before.b.rindex("\n") - 1]
    end

    PARSER_EVENT_TABLE.each do |name, arity|
      list = ("a".."g").first(arity).join(", ")
      Primitive.ripper_define(self, "def on_#{name}(#{list}) = __note(:#{name}, [#{list}])")
    end

    # Sources may be damaged, or not of the encoding that they say.
    def void_stmt?(left, right, allow_newline)
      start = left.end_offset
      if start == @behind_superclass
        @behind_superclass = nil
        start = @bytes.index(/[;\n]/n, start)&.succ || start
      end
      @bytes.byteslice(start...right.start_offset).match?(allow_newline ? /[;\n]/n : /;/n)
    end

    %i[var_field const_path_field top_const_field].each do |name|
      alias_method :"__tell_#{name}", :"on_#{name}"
      define_method(:"on_#{name}") { |*values| __target(@offset, @end) { __send__(:"__tell_#{name}", *values) } }
    end

    SCANNER_EVENT_TABLE.each_key do |name|
      Primitive.ripper_define(self, "def on_#{name}(text) = __scanned(:#{name}, text)")
    end

    %i[visit_heredoc_string_node visit_heredoc_x_string_node].each do |name|
      define_method(name) do |node|
        @heredocs.push([@at_start[node.opening_loc.start_offset], @at_start[node.closing_loc.start_offset]])
        super(node)
      ensure
        @heredocs.pop
      end
    end

    # The semicolon behind a superclass ends that.
    def visit_class_node(node)
      @behind_superclass = node.superclass&.location&.end_offset
      super
    end

    public :visit_class_node

    def visit_pattern_node(node)
      outer = @pattern
      @pattern = true
      super
    ensure
      @pattern = outer
    end

    %i[operator and or].each do |kind|
      define_method(:"visit_global_variable_#{kind}_write_node") do |node|
        __target(node.name_loc.start_offset, node.name_loc.end_offset) { super(node) }
      end
    end

    %i[visit_back_reference_read_node visit_numbered_reference_read_node].each do |name|
      define_method(name) do |node|
        start = node.location.start_offset
        return super(node) unless @deferred&.any? { |error| error.location.start_offset == start }
        bounds(node.location)
        on_var_field(on_backref(node.slice))
      end
    end

    def visit_alias_global_variable_node(node)
      old = node.old_name
      error = Prism::NumberedReferenceReadNode === old && __deferred(old.location.start_offset, old.location.end_offset)
      return super unless error
      bounds(node.new_name.location)
      on_gvar(node.new_name.slice)
      bounds(old.location)
      __note(:alias_error, [ALIAS_MESSAGE, on_backref(old.slice)])
    end

    # `A::B {}`: a constant with a block is a command.
    def visit_call_node(node)
      plain = node.receiver && node.call_operator == "::" && node.arguments.nil? && node.opening_loc.nil? &&
        Prism::BlockNode === node.block
      @command = node.message_loc.start_offset if plain && node.message.match?(/\A[[:upper:]]/)
      return super unless __not_of_nothing?(node)
      receiver = visit(node.receiver)
      bounds(node.location)
      on_unary(:not, receiver)
    end

    # `not ()`, whose parentheses, behind a blank, are an expression.
    private def __not_of_nothing?(node)
      receiver = node.receiver
      node.name == :! && node.message == "not" && Prism::ParenthesesNode === receiver && receiver.body.nil? &&
        receiver.location.start_offset > node.message_loc.end_offset
    end

    def on_const(text)
      @constant = @offset
      __scanned(:const, text)
    end

    alias_method :__tell_call, :on_call
    def on_call(receiver, operator, message)
      if @command && @constant == @command
        on_command_call(receiver, operator, message, nil)
      else
        __tell_call(receiver, operator, message)
      end
    end

    public :visit_alias_global_variable_node, :visit_call_node, :visit_back_reference_read_node,
           :visit_numbered_reference_read_node

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
      embedded = parts.reject { |part| Prism::StringNode === part }
      items = (__contents(opening, closing) + embedded).sort_by do |item|
        Integer === item ? @starts[item] : item.location.start_offset
      end
      bounds(parts.first.location)
      result = items.inject(base) do |content, item|
        if Integer === item
          @offset, @end = @starts[item], @stops[item]
          yield content, __scanned(:tstring_content, @texts[item])
        else
          yield content, visit(item)
        end
      end
      width = @dedents[closing]
      return result unless width
      # Where it ends all its tokens have been reported, and none that follow.
      event = __note(:heredoc_dedent, [result, width])
      event.last = closing
      event.count = closing + 1
      event
    end

    # Which tokens are text of a heredoc, not of what it embeds.
    def __contents(opening, closing)
      depth = 0
      (opening + 1...closing).select do |index|
        case @events[index]
        when :embexpr_beg, :heredoc_beg then depth += 1
        when :embexpr_end, :heredoc_end then depth -= 1
        end
        depth == 0 && @events[index] == :tstring_content
      end
    end
  end

  private_constant :Events
end

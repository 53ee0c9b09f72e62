# The class that CRuby's ripper/core.rb adds its handlers to.

class Ripper
  Version = "0.1.0"

  # Parser events by the number of arguments of their handlers.
  PARSER_EVENT_TABLE = {
    0 => %i[
      args_forward args_new excessed_comma mlhs_new mrhs_new qsymbols_new qwords_new redo regexp_new retry return0
      stmts_new string_content symbols_new void_stmt word_new words_new xstring_new yield0 zsuper
    ],
    1 => %i[
      BEGIN END arg_ambiguous arg_paren array assoc_splat assoclist_from_args bare_assoc_hash begin blockarg break
      const_ref defined dyna_symbol else ensure fcall hash kwrest_param mlhs_paren mrhs_new_from_args next nokw_param
      paren parse_error program rest_param return string_dvar string_embexpr string_literal super symbol symbol_literal
      top_const_field top_const_ref undef var_field var_ref vcall xstring_literal yield
    ],
    2 => %i[
      alias alias_error aref aref_field args_add args_add_block args_add_star assign assign_error assoc_new block_var
      brace_block case class_name_error command const_path_field const_path_ref do_block dot2 dot3 heredoc_dedent
      if_mod lambda magic_comment massign method_add_arg method_add_block mlhs_add mlhs_add_post mlhs_add_star module
      mrhs_add mrhs_add_star operator_ambiguous param_error qsymbols_add qwords_add regexp_add regexp_literal
      rescue_mod sclass stmts_add string_add string_concat symbols_add unary unless_mod until until_mod var_alias while
      while_mod word_add words_add xstring_add
    ],
    3 => %i[binary call class def elsif field for hshptn if ifop in opassign unless when],
    4 => %i[aryptn bodystmt command_call fndptn rescue],
    5 => %i[defs],
    7 => %i[params],
  }.flat_map { |arity, names| names.map { |name| [name, arity] } }.sort.to_h

  SCANNER_EVENT_TABLE = %i[
    CHAR __end__ backref backtick comma comment const cvar embdoc embdoc_beg embdoc_end embexpr_beg embexpr_end embvar
    float gvar heredoc_beg heredoc_end ident ignored_nl imaginary int ivar kw label label_end lbrace lbracket lparen nl
    op period qsymbols_beg qwords_beg rational rbrace rbracket regexp_beg regexp_end rparen semicolon sp symbeg
    symbols_beg tlambda tlambeg tstring_beg tstring_content tstring_end words_beg words_sep
  ].to_h { |name| [name, 1] }

  __states = %i[BEG END ENDARG ENDFN ARG CMDARG MID FNAME DOT CLASS LABEL LABELED
                FITEM].each_with_index.to_h do |name, bit|
    [name, 1 << bit]
  end
  __states.merge!(NONE: 0, VALUE: 1, BEG_ANY: 1 | 64 | 512, ARG_ANY: 16 | 32, END_ANY: 2 | 4 | 8)
  __states.each { |name, value| const_set(:"EXPR_#{name}", value) }

  STATE_NAMES = __states.first(13).to_h.invert.freeze
  KNOWN_NAMES = {}
  WANTED = []
  private_constant :STATE_NAMES, :KNOWN_NAMES, :WANTED

  class << self
    def lex_state_name(state)
      state = Integer(state)
      known = KNOWN_NAMES[state]
      return known.dup if known
      name = STATE_NAMES.filter_map { |bit, name| name if state & bit != 0 }.join("|")
      name = "NONE" if state == 0
      KNOWN_NAMES[state] = name if state.between?(0, 0x1fff)
      name.dup
    end

    # Takes up to `width` columns of blanks from the start of the string; how many bytes these were.
    def dedent_string(string, width)
      unless string.respond_to?(:to_str)
        raise TypeError, "no implicit conversion of #{string.nil? ? "nil" : string.class} into String"
      end
      string = string.to_str
      width = Integer(width)
      raise ArgumentError, "negative width #{width}" if width < 0
      column = count = 0
      string.each_byte do |byte|
        break if column >= width
        case byte
        when 32 then column += 1
        when 9
          following = (column / 8 + 1) * 8
          break if following > width
          column = following
        else break
        end
        count += 1
      end
      string.replace(string.byteslice(count..)) if count > 0
      count
    end
  end


  def initialize(source, filename = "(ripper)", lineno = 1)
    @__input = source.respond_to?(:gets) ? source : __checked(source)
    @__filename = filename.nil? ? "(ripper)" : filename.to_str.dup.freeze
    @__first_line = lineno.nil? ? 1 : lineno.to_int
    @__encoding = String === source ? source.encoding : Encoding::UTF_8
    @__debug_output = $stdout
    @__source = nil
    @__yydebug = @__error = @__end_seen = @__parsing = @__parsed = false
    @__lineno = @__column = @__state = @__token = nil
  end

  def parse
    raise ArgumentError, "parse called recursively" if @__parsing
    return if @__parsed
    @__parsing = true
    __source
    case Primitive.ripper_wants(self, Reports::WALKED, Reports::UNWALKED, Ripper, WANTED)
    when 0
      __scanned(*Primitive.ripper_scan(@__source, @__filename, @__first_line, @__source.encoding.name, false))
      nil
    when 1 then TokenReports.new(self).run
    else
      require "ripper/events.so"
      Events.new(self).run
    end
  ensure
    @__parsed = true
    @__parsing = false
    @__lineno = @__column = @__state = @__token = nil
  end

  def filename = @__filename
  def encoding = @__encoding
  def debug_output = @__debug_output
  def debug_output=(output)
    @__debug_output = output
  end
  def yydebug = @__yydebug
  def yydebug=(on)
    @__yydebug = on ? true : false
  end
  def error? = @__error
  def end_seen? = @__end_seen
  def lineno = @__lineno
  def column = @__column
  def state = @__state
  def token = @__token

  def __source = @__source ||= __checked(__read(@__input)).dup.freeze
  def __first_line = @__first_line

  def __scanned(encoding, ended, failed)
    @__encoding = Encoding.find(encoding)
    @__end_seen = ended
    @__error = failed
  end

  def __sound
    @__error = false
  end

  # The state that handlers see.
  def __at(line, column, state, token)
    @__lineno = line
    @__column = column
    @__state = state
    @__token = token
  end

  # Handlers are private; they may ask for the name by which they are called.
  PARSER_EVENT_TABLE.each do |name, arity|
    list = ("a".."g").first(arity).join(", ")
    Primitive.ripper_define(self, "def __on_#{name}(#{list}) = on_#{name}(#{list})")
  end
  Primitive.ripper_define(self, "def __warning(...) = warning(...)\ndef __warn(...) = warn(...)\n" \
                                "def __compile_error(text) = compile_error(text)")

  private

  def __checked(source)
    source = __string(source)
    raise ArgumentError, "invalid source encoding #{source.encoding}" unless source.encoding.ascii_compatible?
    source
  end

  def __read(source)
    return source if String === source
    text = nil
    while (line = source.gets)
      line = __string(line)
      text = text ? text << line : line.dup
    end
    text || +""
  end

  def __string(object)
    return object if String === object
    return object.to_str if object.respond_to?(:to_str)
    raise TypeError, "no implicit conversion of #{object.nil? ? "nil" : object.class} into String"
  end

  def dedent_string(string, width) = Ripper.dedent_string(string, width)
end

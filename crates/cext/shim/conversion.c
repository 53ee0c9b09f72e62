/* Conversion of texts step by step: an `rb_econv_t` is an Encoding::Converter that is kept alive. */
#include "rbl.h"

struct rb_econv_t {
    VALUE converter;
};

static VALUE converter_class(void)
{
    return rb_path2class("Encoding::Converter");
}

static void set_option(VALUE options, const char *name, const char *value)
{
    rb_hash_aset(options, ID2SYM((rb_intern)(name)), value ? ID2SYM((rb_intern)(value)) : Qtrue);
}

static VALUE option(VALUE options, const char *name)
{
    return rb_hash_aref(options, ID2SYM((rb_intern)(name)));
}

static bool is(VALUE value, const char *name)
{
    return SYMBOL_P(value) && SYM2ID(value) == (rb_intern)(name);
}

/* The flags that keywords of `encode` stand for; what has no flag, the replacement, is left in `rest`, which is nil when there is none. */
int rb_econv_prepare_opts(VALUE options, VALUE *rest)
{
    int flags = 0;
    *rest = Qnil;
    if (NIL_P(options)) return 0;
    VALUE value = option(options, "invalid");
    if (is(value, "replace")) flags |= ECONV_INVALID_REPLACE;
    else if (!NIL_P(value)) rb_raise(rb_eArgError, "unknown value for invalid character option");
    value = option(options, "undef");
    if (is(value, "replace")) flags |= ECONV_UNDEF_REPLACE;
    else if (!NIL_P(value)) rb_raise(rb_eArgError, "unknown value for undefined character option");
    value = option(options, "xml");
    if (is(value, "text")) flags |= ECONV_XML_TEXT_DECORATOR | ECONV_UNDEF_HEX_CHARREF;
    else if (is(value, "attr")) flags |= ECONV_XML_ATTR_CONTENT_DECORATOR | ECONV_XML_ATTR_QUOTE_DECORATOR | ECONV_UNDEF_HEX_CHARREF;
    else if (!NIL_P(value)) rb_raise(rb_eArgError, "unexpected value for xml option");
    value = option(options, "newline");
    if (is(value, "universal")) flags |= ECONV_UNIVERSAL_NEWLINE_DECORATOR;
    else if (is(value, "crlf")) flags |= ECONV_CRLF_NEWLINE_DECORATOR;
    else if (is(value, "cr")) flags |= ECONV_CR_NEWLINE_DECORATOR;
    else if (is(value, "lf")) flags |= ECONV_LF_NEWLINE_DECORATOR;
    else if (!NIL_P(value)) rb_raise(rb_eArgError, "unexpected value for newline option");
    if (RTEST(option(options, "universal_newline"))) flags |= ECONV_UNIVERSAL_NEWLINE_DECORATOR;
    if (RTEST(option(options, "crlf_newline"))) flags |= ECONV_CRLF_NEWLINE_DECORATOR;
    if (RTEST(option(options, "cr_newline"))) flags |= ECONV_CR_NEWLINE_DECORATOR;
    if (RTEST(option(options, "lf_newline"))) flags |= ECONV_LF_NEWLINE_DECORATOR;
    value = option(options, "replace");
    if (!NIL_P(value)) {
        *rest = rb_hash_new();
        rb_hash_aset(*rest, ID2SYM((rb_intern)("replace")), value);
    }
    return flags;
}

/* The keywords that flags stand for. */
static VALUE keywords(int flags, VALUE rest)
{
    VALUE options = NIL_P(rest) ? rb_hash_new() : rb_hash_dup(rest);
    int xml = flags & (ECONV_XML_TEXT_DECORATOR | ECONV_XML_ATTR_CONTENT_DECORATOR);
    if (flags & ECONV_INVALID_REPLACE) set_option(options, "invalid", "replace");
    if ((flags & ECONV_UNDEF_MASK) == ECONV_UNDEF_REPLACE) set_option(options, "undef", "replace");
    if (xml) set_option(options, "xml", xml & ECONV_XML_TEXT_DECORATOR ? "text" : "attr");
    if (flags & ECONV_UNIVERSAL_NEWLINE_DECORATOR) set_option(options, "universal_newline", 0);
    if (flags & ECONV_CRLF_NEWLINE_DECORATOR) set_option(options, "crlf_newline", 0);
    if (flags & ECONV_CR_NEWLINE_DECORATOR) set_option(options, "cr_newline", 0);
    if (flags & ECONV_LF_NEWLINE_DECORATOR) set_option(options, "lf_newline", 0);
    return options;
}

static VALUE name_of(const char *encoding)
{
    return rb_utf8_str_new_cstr(encoding ? encoding : "");
}

static VALUE make(VALUE args)
{
    VALUE list[3] = {RARRAY_AREF(args, 0), RARRAY_AREF(args, 1), RARRAY_AREF(args, 2)};
    return rb_funcallv_kw(converter_class(), (rb_intern)("new"), 3, list, RB_PASS_KEYWORDS);
}

/* Null: there is no such conversion. */
rb_econv_t *rb_econv_open_opts(const char *from, const char *to, int flags, VALUE rest)
{
    int state = 0;
    VALUE args = rb_ary_new_from_args(3, name_of(from), name_of(to), keywords(flags, rest));
    VALUE converter = rb_protect(make, args, &state);
    if (state) {
        VALUE error = rb_errinfo();
        if (!rb_obj_is_kind_of(error, rb_path2class("Encoding::ConverterNotFoundError"))) rb_jump_tag(state);
        rb_set_errinfo(Qnil);
        return 0;
    }
    rb_econv_t *ec = ruby_xmalloc(sizeof *ec);
    ec->converter = converter;
    rb_gc_register_address(&ec->converter);
    return ec;
}

rb_econv_t *rb_econv_open(const char *from, const char *to, int flags)
{
    return rb_econv_open_opts(from, to, flags, Qnil);
}

void rb_econv_close(rb_econv_t *ec)
{
    if (!ec) return;
    rb_gc_unregister_address(&ec->converter);
    ruby_xfree(ec);
}

VALUE rb_econv_open_exc(const char *from, const char *to, int flags)
{
    VALUE text = rb_sprintf("code converter not found (%s to %s)", from ? from : "", to ? to : "");
    return rb_exc_new_str(rb_path2class("Encoding::ConverterNotFoundError"), text);
}

/* The exception about the last step, or nil. */
VALUE rb_econv_make_exception(rb_econv_t *ec)
{
    return SEND(ec->converter, "last_error");
}

void rb_econv_check_error(rb_econv_t *ec)
{
    VALUE error = rb_econv_make_exception(ec);
    if (!NIL_P(error)) rb_exc_raise(error);
}

static rb_econv_result_t step(rb_econv_t *ec, VALUE source, VALUE target, VALUE room, int flags)
{
    static const struct {
        const char *name;
        rb_econv_result_t result;
    } results[] = {
        {"invalid_byte_sequence", econv_invalid_byte_sequence},
        {"undefined_conversion", econv_undefined_conversion},
        {"destination_buffer_full", econv_destination_buffer_full},
        {"source_buffer_empty", econv_source_buffer_empty},
        {"finished", econv_finished},
        {"after_output", econv_after_output},
        {"incomplete_input", econv_incomplete_input},
    };
    int how = flags & (ECONV_PARTIAL_INPUT | ECONV_AFTER_OUTPUT);
    VALUE result = SEND(ec->converter, "primitive_convert", source, target, Qnil, room, INT2FIX(how));
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (is(result, results[i].name)) return results[i].result;
    return econv_finished;
}

rb_econv_result_t rb_econv_convert(rb_econv_t *ec, const unsigned char **from, const unsigned char *from_end, unsigned char **to, unsigned char *to_end, int flags)
{
    VALUE source = rb_str_new((const char *)*from, from_end - *from), target = rb_str_new(0, 0);
    rb_econv_result_t result = step(ec, source, target, LONG2NUM(to_end - *to), flags);
    long len = RSTRING_LEN(target);
    memcpy(*to, RSTRING_PTR(target), (size_t)len);
    *to += len;
    *from = from_end - RSTRING_LEN(source);
    RB_GC_GUARD(target);
    return result;
}

/* Converts all of the source, behind what the target has, which may be nil. */
static VALUE append(rb_econv_t *ec, VALUE source, VALUE target, int flags)
{
    if (NIL_P(target)) target = rb_str_new(0, 0);
    VALUE found = SEND(ec->converter, "destination_encoding");
    step(ec, source, target, Qnil, flags);
    rb_econv_check_error(ec);
    if (!NIL_P(found)) rb_enc_associate(target, rb_to_encoding(found));
    return target;
}

VALUE rb_econv_str_append(rb_econv_t *ec, VALUE source, VALUE target, int flags)
{
    return append(ec, rb_str_dup(source), target, flags);
}

VALUE rb_econv_substr_convert(rb_econv_t *ec, VALUE source, long at, long len, int flags)
{
    return append(ec, rb_str_new(RSTRING_PTR(source) + at, len), Qnil, flags);
}

VALUE rb_econv_str_convert(rb_econv_t *ec, VALUE source, int flags)
{
    return rb_econv_substr_convert(ec, source, 0, RSTRING_LEN(source), flags);
}

int rb_econv_set_replacement(rb_econv_t *ec, const unsigned char *text, size_t len, const char *encoding)
{
    VALUE replacement = rb_enc_str_new((const char *)text, (long)len, rb_enc_find(encoding));
    SEND(ec->converter, "replacement=", replacement);
    return 0;
}

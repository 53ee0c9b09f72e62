/* Conversion of texts step by step: an `rb_econv_t` is an Encoding::Converter that is kept alive. */
#include "rbl.h"

struct rb_econv_t {
    VALUE converter;
    /* What it was made with. */
    int flags;
    VALUE rest;
    /* It has converted something: nothing can be added any more. */
    bool started;
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

/* The flags that keywords of `encode` stand for; what has no flag, the replacement, is left in `rest`,
 * which is nil when there is none. */
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
    else if (is(value, "attr"))
        flags |= ECONV_XML_ATTR_CONTENT_DECORATOR | ECONV_XML_ATTR_QUOTE_DECORATOR | ECONV_UNDEF_HEX_CHARREF;
    else if (!NIL_P(value)) rb_raise(rb_eArgError, "unexpected value for xml option");
    value = option(options, "newline");
    if (is(value, "universal")) flags |= ECONV_UNIVERSAL_NEWLINE_DECORATOR;
    else if (is(value, "crlf")) flags |= ECONV_CRLF_NEWLINE_DECORATOR;
    else if (is(value, "cr")) flags |= ECONV_CR_NEWLINE_DECORATOR;
    else if (is(value, "lf")) flags |= ECONV_LF_NEWLINE_DECORATOR;
    else if (SYMBOL_P(value))
        rb_raise(rb_eArgError, "unexpected value for newline option: %"PRIsVALUE, rb_sym2str(value));
    else if (!NIL_P(value)) rb_raise(rb_eArgError, "unexpected value for newline option");
    if (RTEST(option(options, "universal_newline"))) flags |= ECONV_UNIVERSAL_NEWLINE_DECORATOR;
    if (RTEST(option(options, "crlf_newline"))) flags |= ECONV_CRLF_NEWLINE_DECORATOR;
    if (RTEST(option(options, "cr_newline"))) flags |= ECONV_CR_NEWLINE_DECORATOR;
    if (RTEST(option(options, "lf_newline"))) flags |= ECONV_LF_NEWLINE_DECORATOR;
    value = option(options, "replace");
    if (!NIL_P(value)) {
        *rest = rb_hash_new();
        rb_hash_aset(*rest, ID2SYM((rb_intern)("replace")), rb_str_to_str(value));
    }
    value = option(options, "fallback");
    if (RB_TYPE_P(value, T_HASH) || RTEST(rb_obj_is_proc(value)) || RTEST(rb_obj_is_method(value))
        || rb_respond_to(value, (rb_intern)("[]"))) {
        if (NIL_P(*rest)) *rest = rb_hash_new();
        rb_hash_aset(*rest, ID2SYM((rb_intern)("fallback")), value);
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

/* The same flags besides those that there are. */
int rb_econv_prepare_options(VALUE options, VALUE *rest, int flags)
{
    return flags | rb_econv_prepare_opts(options, rest);
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
    *ec = (rb_econv_t){converter, flags, rest, false};
    rb_gc_register_address(&ec->converter);
    rb_gc_register_address(&ec->rest);
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
    rb_gc_unregister_address(&ec->rest);
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
    return OWN(ec->converter, "last_error");
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
    ec->started = true;
    int how = flags & (ECONV_PARTIAL_INPUT | ECONV_AFTER_OUTPUT);
    VALUE result = OWN(ec->converter, "primitive_convert", source, target, Qnil, room, INT2FIX(how));
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (is(result, results[i].name)) return results[i].result;
    return econv_finished;
}

rb_econv_result_t rb_econv_convert(rb_econv_t *ec, const unsigned char **from, const unsigned char *from_end,
    unsigned char **to, unsigned char *to_end, int flags)
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

/* Converts all of the source, behind what the target has, which may be nil: a new one is of bytes. */
static VALUE append(rb_econv_t *ec, VALUE source, VALUE target, int flags)
{
    if (NIL_P(target)) target = rb_str_new(0, 0);
    rb_encoding *enc = rb_enc_get(target);
    step(ec, source, target, Qnil, flags);
    rb_econv_check_error(ec);
    rb_enc_associate(target, enc);
    return target;
}

VALUE rb_econv_str_append(rb_econv_t *ec, VALUE source, VALUE target, int flags)
{
    return append(ec, rb_str_dup(source), target, flags);
}

VALUE rb_econv_append(rb_econv_t *ec, const char *bytes, long len, VALUE target, int flags)
{
    return append(ec, rb_str_new(bytes, len), target, flags);
}

VALUE rb_econv_substr_append(rb_econv_t *ec, VALUE source, long at, long len, VALUE target, int flags)
{
    return rb_econv_append(ec, RSTRING_PTR(source) + at, len, target, flags);
}

VALUE rb_econv_substr_convert(rb_econv_t *ec, VALUE source, long at, long len, int flags)
{
    return rb_econv_substr_append(ec, source, at, len, Qnil, flags);
}

VALUE rb_econv_str_convert(rb_econv_t *ec, VALUE source, int flags)
{
    return rb_econv_substr_convert(ec, source, 0, RSTRING_LEN(source), flags);
}

int rb_econv_set_replacement(rb_econv_t *ec, const unsigned char *text, size_t len, const char *encoding)
{
    VALUE replacement = rb_enc_str_new((const char *)text, (long)len, rb_enc_find(encoding));
    OWN(ec->converter, "replacement=", replacement);
    return 0;
}

/* -- what is added ----------------------------------------------------------------------------------- */

/* The encoding that stands for one which is not compatible with ASCII while it is converted; null, if there is none. */
const char *rb_econv_asciicompat_encoding(const char *name)
{
    VALUE found = OWN(converter_class(), "asciicompat_encoding", name_of(name));
    return NIL_P(found) ? 0 : rb_enc_name(rb_to_encoding(found));
}

static bool is_step(VALUE step)
{
    return RB_TYPE_P(step, T_ARRAY);
}

/* One end of a step of the path: its encoding is not compatible with ASCII and something stands for it. */
static bool stands_in(VALUE step, long end)
{
    return is_step(step) && !NIL_P(OWN(converter_class(), "asciicompat_encoding", rb_ary_entry(step, end)));
}

static VALUE with_path(VALUE path)
{
    return rb_class_new_instance(1, &path, converter_class());
}

/* Puts a decorator at a place of the path. -1: there is none of that name, or the conversion has begun. */
static int decorate(rb_econv_t *ec, VALUE path, long at, const char *name)
{
    static const struct {
        const char *name;
        int flag;
    } known[] = {
        {"universal_newline", ECONV_UNIVERSAL_NEWLINE_DECORATOR}, {"crlf_newline", ECONV_CRLF_NEWLINE_DECORATOR},
        {"cr_newline", ECONV_CR_NEWLINE_DECORATOR}, {"lf_newline", ECONV_LF_NEWLINE_DECORATOR},
        {"xml_text_escape", ECONV_XML_TEXT_DECORATOR}, {"xml_attr_content_escape", ECONV_XML_ATTR_CONTENT_DECORATOR},
        {"xml_attr_quote", ECONV_XML_ATTR_QUOTE_DECORATOR},
    };
    int flag = 0, state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) flag = known[i].flag;
    if (ec->started || !flag) return -1;
    VALUE converter;
    if (ec->flags & ECONV_ERROR_HANDLER_MASK) {
        /* A path says nothing of what is put in place of characters: options do. */
        VALUE list = rb_ary_new_from_args(3, OWN(ec->converter, "source_encoding"),
            OWN(ec->converter, "destination_encoding"), keywords(ec->flags | flag, ec->rest));
        converter = rb_protect(make, list, &state);
    } else {
        VALUE longer = rb_ary_dup(path);
        SEND(longer, "insert", LONG2NUM(at), rb_str_new_cstr(name));
        converter = rb_protect(with_path, longer, &state);
    }
    if (state) {
        rb_set_errinfo(Qnil);
        return -1;
    }
    ec->converter = converter;
    ec->flags |= flag;
    return 0;
}

int rb_econv_decorate_at_first(rb_econv_t *ec, const char *name)
{
    VALUE path = OWN(ec->converter, "convpath");
    return decorate(ec, path, stands_in(rb_ary_entry(path, 0), 0) ? 1 : 0, name);
}

int rb_econv_decorate_at_last(rb_econv_t *ec, const char *name)
{
    VALUE path = OWN(ec->converter, "convpath");
    long n = RARRAY_LEN(path);
    return decorate(ec, path, n && stands_in(rb_ary_entry(path, -1), 1) ? n - 1 : n, name);
}

/* The encoding in which text is put between what is converted. */
const char *rb_econv_encoding_to_insert_output(rb_econv_t *ec)
{
    VALUE path = OWN(ec->converter, "convpath"), last = Qnil;
    for (long i = 0; i < RARRAY_LEN(path); i++)
        if (is_step(RARRAY_AREF(path, i))) last = RARRAY_AREF(path, i);
    if (NIL_P(last)) return "";
    return rb_enc_name(rb_to_encoding(rb_ary_entry(last, stands_in(last, 1) ? 0 : 1)));
}

static VALUE insert(VALUE args)
{
    return OWN(RARRAY_AREF(args, 0), "insert_output", RARRAY_AREF(args, 1));
}

/* -1: the text cannot be converted. */
int rb_econv_insert_output(rb_econv_t *ec, const unsigned char *text, size_t len, const char *encoding)
{
    int state;
    ec->started = true;
    if (len == 0) return 0;
    VALUE string = rb_enc_str_new((const char *)text, (long)len, rb_enc_find(encoding));
    rb_protect(insert, rb_ary_new_from_args(2, ec->converter, string), &state);
    if (!state) return 0;
    rb_set_errinfo(Qnil);
    return -1;
}

/* So many of the bytes that were read last are not part of what was wrong. */
int rb_econv_putbackable(rb_econv_t *ec)
{
    VALUE info = OWN(ec->converter, "primitive_errinfo"), again = rb_ary_entry(info, 4);
    return NIL_P(again) ? 0 : (int)RSTRING_LEN(again);
}

/* The last `n` bytes of what was read and is to be read again. */
void rb_econv_putback(rb_econv_t *ec, unsigned char *bytes, int n)
{
    if (n == 0) return;
    VALUE back = OWN(ec->converter, "putback", INT2NUM(n));
    memcpy(bytes, RSTRING_PTR(back), (size_t)RSTRING_LEN(back));
    RB_GC_GUARD(back);
}

/* Regular expressions and their matches. */
#include "rbl.h"

VALUE rb_reg_new(const char *source, long len, int options)
{
    return rb_reg_new_str(rb_str_new(source, len), options);
}

VALUE rb_reg_new_str(VALUE source, int options)
{
    VALUE text = source;
    if (rb_enc_get_index(text) == rb_ascii8bit_encindex() && rb_enc_str_asciionly_p(text)) {
        text = rb_str_dup(text);
        rb_enc_associate(text, rb_usascii_encoding());
    }
    return SEND(rb_cRegexp, "new", text, INT2NUM(options & 7));
}

VALUE rb_reg_regcomp(VALUE source)
{
    return rb_reg_new_str(source, 0);
}

VALUE rb_enc_reg_new(const char *source, long len, rb_encoding *enc, int options)
{
    return rb_reg_new_str(rb_enc_str_new(source, len, enc), options);
}

VALUE rb_reg_quote(VALUE text)
{
    return OWN(rb_cRegexp, "escape", text);
}

VALUE rb_reg_source(VALUE regexp)
{
    return OWN(regexp, "source");
}

int rb_reg_options(VALUE regexp)
{
    return NUM2INT(OWN(regexp, "options"));
}

VALUE rb_reg_nth_match(int n, VALUE match)
{
    return NIL_P(match) ? Qnil : OWN(match, "[]", INT2NUM(n));
}

VALUE rb_reg_nth_defined(int n, VALUE match)
{
    if (NIL_P(match)) return Qnil;
    VALUE begin = n < NUM2INT(OWN(match, "size")) ? OWN(match, "begin", INT2NUM(n)) : Qnil;
    return NIL_P(begin) ? Qfalse : Qtrue;
}

VALUE rb_reg_last_match(VALUE match)
{
    return rb_reg_nth_match(0, match);
}

VALUE rb_reg_match_last(VALUE match)
{
    if (NIL_P(match)) return Qnil;
    VALUE captures = OWN(match, "captures");
    for (long i = RARRAY_LEN(captures) - 1; i >= 0; i--)
        if (!NIL_P(RARRAY_AREF(captures, i))) return RARRAY_AREF(captures, i);
    return Qnil;
}

VALUE rb_reg_match2(VALUE regexp)
{
    return OWN(regexp, "~");
}

int rb_reg_backref_number(VALUE match, VALUE name)
{
    if (FIXNUM_P(name)) return FIX2INT(name);
    VALUE names = OWN(OWN(match, "regexp"), "named_captures");
    VALUE numbers = rb_hash_aref(names, rb_String(name));
    if (NIL_P(numbers)) rb_raise(rb_eIndexError, "undefined group name reference: %"PRIsVALUE, name);
    return NUM2INT(rb_ary_entry(numbers, -1));
}

long rb_reg_search(VALUE regexp, VALUE str, long pos, int backwards)
{
    if (pos < 0 || pos > RSTRING_LEN(str)) {
        rb_backref_set(Qnil);
        return -1;
    }
    VALUE found = backwards ? OWN(str, "byterindex", regexp, LONG2NUM(pos))
        : OWN(str, "byteindex", regexp, LONG2NUM(pos));
    if (NIL_P(found)) {
        rb_backref_set(Qnil);
        return -1;
    }
    rb_backref_set(OWN(rb_cRegexp, "last_match"));
    return NUM2LONG(found);
}

bool rb_reg_start_with_p(VALUE regexp, VALUE str)
{
    return RTEST(OWN(str, "start_with?", regexp));
}

void rb_match_busy(VALUE match)
{
}

long rb_memsearch(const void *pattern, long m, const void *text, long n, rb_encoding *enc)
{
    if (m > n) return -1;
    if (m == 0) return 0;
    const char *found = memmem(text, (size_t)n, pattern, (size_t)m);
    return found ? found - (const char *)text : -1;
}

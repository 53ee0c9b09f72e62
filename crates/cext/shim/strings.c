/* Strings and symbols. */
#include "rbl.h"

static VALUE str_static(const char *ptr, long len, int encoding)
{
    VALUE out;
    if (rbl_c_str_static(ptr, len, encoding, &out)) rbl_jump();
    return out;
}

VALUE rb_str_new_static(const char *ptr, long len)
{
    return str_static(ptr, len, rb_ascii8bit_encindex());
}

VALUE rb_usascii_str_new_static(const char *ptr, long len)
{
    return str_static(ptr, len, rb_usascii_encindex());
}

VALUE rb_enc_str_new_static(const char *ptr, long len, rb_encoding *enc)
{
    return str_static(ptr, len, enc ? rb_enc_to_index(enc) : rb_ascii8bit_encindex());
}

VALUE rb_utf8_str_new_static(const char *ptr, long len)
{
    return str_static(ptr, len, rb_utf8_encindex());
}

VALUE rb_str_buf_new_cstr(const char *ptr)
{
    VALUE str = rb_str_buf_new((long)strlen(ptr));
    return rb_str_cat_cstr(str, ptr);
}

#undef rb_str_buf_cat
VALUE rb_str_buf_cat(VALUE str, const char *ptr, long len)
{
    return rb_str_cat(str, ptr, len);
}

#undef rb_str_buf_cat2
VALUE rb_str_buf_cat2(VALUE str, const char *ptr)
{
    return rb_str_cat_cstr(str, ptr);
}

#undef rb_str_cat2
VALUE rb_str_cat2(VALUE str, const char *ptr)
{
    return rb_str_cat_cstr(str, ptr);
}

VALUE rb_str_buf_cat_ascii(VALUE str, const char *ptr)
{
    Check_Type(str, T_STRING);
    rb_encoding *encoding = rb_enc_get(str);
    if (rb_enc_asciicompat(encoding)) return rb_enc_str_buf_cat(str, ptr, (long)strlen(ptr), encoding);
    for (; *ptr; ptr++) rb_str_append(str, rb_enc_uint_chr((unsigned char)*ptr, encoding));
    return str;
}

#undef rb_str_dup_frozen
VALUE rb_str_dup_frozen(VALUE str)
{
    return rb_str_new_frozen(str);
}

VALUE rb_str_freeze(VALUE str)
{
    return rb_obj_freeze(str);
}

VALUE rb_str_to_interned_str(VALUE str)
{
    Check_Type(str, T_STRING);
    return OWN(str, "-@");
}

VALUE rb_str_equal(VALUE a, VALUE b)
{
    if (a == b) return Qtrue;
    if (!RB_TYPE_P(b, T_STRING))
        return rb_respond_to(b, (rb_intern)("to_str")) ? RTEST(SEND(b, "==", a)) ? Qtrue : Qfalse : Qfalse;
    return RTEST(OWN(a, "==", b)) ? Qtrue : Qfalse;
}

VALUE rb_str_substr(VALUE str, long begin, long len)
{
    return OWN(str, "[]", LONG2NUM(begin), LONG2NUM(len));
}

VALUE rb_str_split(VALUE str, const char *separator)
{
    return OWN(str, "split", rb_str_new_cstr(separator));
}

VALUE rb_str_ellipsize(VALUE str, long len)
{
    if (len < 0) rb_raise(rb_eIndexError, "negative length %ld", len);
    if (rb_str_strlen(str) <= len) return str;
    rb_encoding *enc = rb_enc_get(str);
    VALUE dots = rb_enc_asciicompat(enc) ? rb_enc_str_new("...", 3, enc)
        : rb_str_encode(rb_usascii_str_new("...", 3), rb_enc_from_encoding(enc), 0, Qnil);
    if (len <= 3) return rb_str_substr(dots, 0, len);
    VALUE start = rb_str_substr(str, 0, len - 3);
    return rb_str_append(rb_enc_str_new(RSTRING_PTR(start), RSTRING_LEN(start), enc), dots);
}

VALUE rb_str_scrub(VALUE str, VALUE replacement)
{
    if (RTEST(OWN(str, "valid_encoding?"))) return Qnil;
    return NIL_P(replacement) ? OWN(str, "scrub") : OWN(str, "scrub", replacement);
}

void rb_str_shared_replace(VALUE a, VALUE b)
{
    if (a != b) rb_str_replace(a, b);
}

VALUE rb_str_setbyte(VALUE str, VALUE at, VALUE byte)
{
    return OWN(str, "setbyte", at, byte);
}

long rb_str_offset(VALUE str, long pos)
{
    Check_Type(str, T_STRING);
    return rb_enc_nth(RSTRING_PTR(str), RSTRING_END(str), pos, rb_enc_get(str)) - RSTRING_PTR(str);
}

long rb_str_sublen(VALUE str, long pos)
{
    Check_Type(str, T_STRING);
    rb_encoding *enc = rb_enc_get(str);
    long len = RSTRING_LEN(str);
    if (rb_enc_mbmaxlen(enc) == 1 || rb_enc_str_asciionly_p(str)) return pos;
    if (pos < 0) return 0;
    return rb_enc_strlen(RSTRING_PTR(str), RSTRING_PTR(str) + (pos < len ? pos : len), enc);
}

char *rb_str_subpos(VALUE str, long begin, long *lenp)
{
    long len = *lenp, total = rb_str_strlen(str);
    if (len < 0 || begin > total) return 0;
    if (begin < 0 && (begin += total) < 0) return 0;
    if (len > total - begin) len = total - begin;
    rb_encoding *enc = rb_enc_get(str);
    char *start = rb_enc_nth(RSTRING_PTR(str), RSTRING_END(str), begin, enc);
    char *end = rb_enc_nth(start, RSTRING_END(str), len, enc);
    *lenp = end - start;
    return start;
}

int rb_str_comparable(VALUE a, VALUE b)
{
    if (!RB_TYPE_P(a, T_STRING) || !RB_TYPE_P(b, T_STRING)) return 0;
    return rb_enc_compatible(a, b) != 0 || RSTRING_LEN(a) == 0 || RSTRING_LEN(b) == 0;
}

void rb_must_asciicompat(VALUE str)
{
    rb_encoding *enc = rb_enc_get(str);
    if (!enc || RB_TYPE_P(str, T_FILE)) rb_raise(rb_eTypeError, "not encoding capable object");
    if (!rb_enc_asciicompat(enc)) rb_raise(rb_eEncCompatError, "ASCII incompatible encoding: %s", rb_enc_name(enc));
}

VALUE rb_str_export(VALUE str)
{
    return rb_str_export_to_enc(str, rb_default_external_encoding());
}

VALUE rb_str_export_locale(VALUE str)
{
    return rb_str_export_to_enc(str, rb_locale_encoding());
}

VALUE rb_str_export_to_enc(VALUE str, rb_encoding *enc)
{
    return rb_str_conv_enc(str, rb_enc_get(str), enc);
}

VALUE rb_str_encode_ospath(VALUE str)
{
    return str;
}

VALUE rb_f_sprintf(int argc, const VALUE *argv)
{
    if (!argc) rb_raise(rb_eArgError, "too few arguments");
    VALUE format = rb_str_to_str(argv[0]);
    return rb_str_format(argc - 1, argv + 1, format);
}

VALUE rb_str_format(int argc, const VALUE *argv, VALUE fmt)
{
    return OWN(fmt, "%", rb_ary_new_from_values(argc, argv));
}

st_index_t rb_hash_start(st_index_t h)
{
    return h + 0x9e3779b9;
}

st_index_t rb_memhash(const void *p, long len)
{
    return rb_st_hash(p, (size_t)len, 0x5bd1e995);
}

int rb_memcicmp(const void *a, const void *b, long len)
{
    const unsigned char *p = a, *q = b;
    for (; len > 0; len--, p++, q++) {
        int difference = TOLOWER(*p) - TOLOWER(*q);
        if (difference) return difference;
    }
    return 0;
}

VALUE rb_sym_all_symbols(void)
{
    return OWN(rb_cSymbol, "all_symbols");
}

VALUE rb_sym_interned_p(VALUE str)
{
    return rb_check_id(&str) ? Qtrue : Qfalse;
}

VALUE rb_check_symbol(volatile VALUE *name)
{
    ID id = rb_check_id(name);
    return id ? ID2SYM(id) : Qnil;
}

ID rb_id_attrset(ID id)
{
    if (rb_is_attrset_id(id)) return id;
    const char *name = rb_id2name(id);
    if (!name || !(rb_isalpha(name[0]) || name[0] == '_' || name[0] == '@' || name[0] == '$' || (name[0] & 0x80))) {
        rb_name_error(id, "cannot make operator ID :%"PRIsVALUE" attrset", rb_id2str(id));
    }
    return rb_to_id(rb_sprintf("%"PRIsVALUE"=", rb_id2str(id)));
}

/* What the name of an ID begins with. */
static int name_begins(ID id, int (*is)(int), const char *prefix)
{
    const char *name = rb_id2name(id);
    if (!name) return 0;
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 && (is(name[n]) || (name[n] == '_' && is != rb_isupper));
}

static int is_letter(int c)
{
    return rb_isalpha(c) || (c & 0x80);
}

/* Whether the name has nothing but what names of variables have. */
static bool is_whole(const char *name)
{
    for (name += strspn(name, "@"); *name; name++)
        if (!rb_isalnum(*name) && *name != '_' && !(*name & 0x80)) return false;
    return true;
}

int rb_is_const_id(ID id)
{
    return name_begins(id, rb_isupper, "") && is_whole(rb_id2name(id));
}

int rb_is_instance_id(ID id)
{
    return name_begins(id, is_letter, "@") && is_whole(rb_id2name(id));
}

int rb_is_class_id(ID id)
{
    return name_begins(id, is_letter, "@@") && is_whole(rb_id2name(id));
}

int rb_is_global_id(ID id)
{
    const char *name = rb_id2name(id);
    return name && name[0] == '$';
}

int rb_is_attrset_id(ID id)
{
    const char *name = rb_id2name(id);
    size_t n = name ? strlen(name) : 0;
    return n > 1 && name[n - 1] == '=' && is_letter(name[0]);
}

int rb_is_local_id(ID id)
{
    const char *name = rb_id2name(id);
    return name && (rb_islower(name[0]) || name[0] == '_') && is_whole(name);
}

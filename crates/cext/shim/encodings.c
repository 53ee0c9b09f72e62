/* Encodings, characters, transcoding. */
#include "rbl.h"

/* -- which there are: a table that never changes -------------------------------------------------------- */

static rb_encoding *table_of_encodings(size_t *count)
{
    static rb_encoding *first;
    static size_t known;
    if (!first) rbl_c_encodings(&first, &known);
    *count = known;
    return first;
}

rb_encoding *rb_enc_from_index(int index)
{
    size_t count;
    rb_encoding *first = table_of_encodings(&count);
    return index >= 0 && (size_t)index < count ? first + index : 0;
}

int rb_enc_to_index(rb_encoding *enc)
{
    return enc ? enc->ruby_encoding_index : 0;
}

/* Looks a name up once. */
static rb_encoding *known(rb_encoding **place, const char *name)
{
    if (!*place) *place = rb_enc_find(name);
    return *place;
}

rb_encoding *rb_utf8_encoding(void)
{
    static rb_encoding *found;
    return known(&found, "UTF-8");
}

int rb_utf8_encindex(void)
{
    return rb_utf8_encoding()->ruby_encoding_index;
}

rb_encoding *rb_ascii8bit_encoding(void)
{
    static rb_encoding *found;
    return known(&found, "BINARY");
}

int rb_ascii8bit_encindex(void)
{
    return rb_ascii8bit_encoding()->ruby_encoding_index;
}

rb_encoding *rb_usascii_encoding(void)
{
    static rb_encoding *found;
    return known(&found, "US-ASCII");
}

int rb_usascii_encindex(void)
{
    return rb_usascii_encoding()->ruby_encoding_index;
}

/* A String has the number in its first word. */
int rb_enc_get_index(VALUE object)
{
    int index;
    if (RB_TYPE_P(object, T_STRING)) return (int)((RBASIC(object)->flags & RUBY_ENCODING_MASK) >> RUBY_ENCODING_SHIFT);
    if (rbl_c_encoding_index(object, &index)) rbl_jump();
    return index;
}

rb_encoding *rb_enc_get(VALUE object)
{
    return rb_enc_from_index(rb_enc_get_index(object));
}

VALUE rb_enc_str_new(const char *ptr, long len, rb_encoding *enc)
{
    VALUE out;
    if (rbl_str_new_index(ptr, len, rb_enc_to_index(enc), &out)) rbl_jump();
    return out;
}

VALUE rb_enc_str_new_cstr(const char *ptr, rb_encoding *enc)
{
    if (!ptr) rb_raise(rb_eArgError, "NULL pointer given");
    if (rb_enc_mbminlen(enc) != 1) rb_raise(rb_eArgError, "wchar encoding given");
    return rb_enc_str_new(ptr, (long)strlen(ptr), enc);
}

VALUE rb_enc_interned_str(const char *ptr, long len, rb_encoding *enc)
{
    VALUE out;
    if (rbl_str_interned_index(ptr, len, enc ? rb_enc_to_index(enc) : rb_ascii8bit_encindex(), &out)) rbl_jump();
    return out;
}

VALUE rb_enc_interned_str_cstr(const char *ptr, rb_encoding *enc)
{
    return rb_enc_interned_str(ptr, (long)strlen(ptr), enc);
}

VALUE rb_interned_str(const char *ptr, long len)
{
    VALUE out;
    bool ascii = true;
    for (long i = 0; i < len; i++) ascii = ascii && !(ptr[i] & 0x80);
    if (rbl_str_interned_index(ptr, len, ascii ? rb_usascii_encindex() : rb_ascii8bit_encindex(), &out)) rbl_jump();
    return out;
}

VALUE rb_interned_str_cstr(const char *ptr)
{
    return rb_interned_str(ptr, (long)strlen(ptr));
}

VALUE rb_external_str_new_with_enc(const char *ptr, long len, rb_encoding *enc)
{
    VALUE out;
    if (rbl_str_in_encoding(ptr, len, rb_enc_to_index(enc), &out)) rbl_jump();
    return out;
}

VALUE rb_locale_str_new(const char *ptr, long len)
{
    return rb_external_str_new_with_enc(ptr, len, rb_locale_encoding());
}

VALUE rb_locale_str_new_cstr(const char *ptr)
{
    return rb_locale_str_new(ptr, (long)strlen(ptr));
}

VALUE rb_filesystem_str_new(const char *ptr, long len)
{
    return rb_external_str_new_with_enc(ptr, len, rb_filesystem_encoding());
}

VALUE rb_filesystem_str_new_cstr(const char *ptr)
{
    return rb_filesystem_str_new(ptr, (long)strlen(ptr));
}

VALUE rb_enc_str_buf_cat(VALUE str, const char *ptr, long len, rb_encoding *enc)
{
    return rb_str_append(str, rb_enc_str_new(ptr, len, enc));
}

VALUE rb_enc_associate(VALUE object, rb_encoding *enc)
{
    return rb_enc_associate_index(object, rb_enc_to_index(enc));
}

void rb_enc_copy(VALUE a, VALUE b)
{
    rb_enc_associate_index(a, rb_enc_get_index(b));
}

VALUE rb_obj_encoding(VALUE object)
{
    int index = rb_enc_get_index(object);
    if (index < 0) rb_raise(rb_eTypeError, "unknown encoding");
    return rb_enc_from_encoding(rb_enc_from_index(index));
}

VALUE rb_enc_default_external(void)
{
    return rb_enc_from_encoding(rb_default_external_encoding());
}

VALUE rb_enc_default_internal(void)
{
    return rb_enc_from_encoding(rb_default_internal_encoding());
}

void rb_enc_set_default_external(VALUE encoding)
{
    OWN(rb_cEncoding, "default_external=", encoding);
}

void rb_enc_set_default_internal(VALUE encoding)
{
    OWN(rb_cEncoding, "default_internal=", encoding);
}

VALUE rb_locale_charmap(VALUE class)
{
    return OWN(rb_cEncoding, "locale_charmap");
}

int rb_enc_capable(VALUE object)
{
    return !SPECIAL_CONST_P(object) ? rb_enc_get_index(object) >= 0 : SYMBOL_P(object);
}

int rb_enc_unicode_p(rb_encoding *enc)
{
    bool dummy = strcmp(enc->name, "UTF-16") == 0 || strcmp(enc->name, "UTF-32") == 0
        || strcmp(enc->name, "UTF-7") == 0;
    return strcmp(enc->name, "CESU-8") == 0 || (strncmp(enc->name, "UTF", 3) == 0 && !dummy);
}

int rb_enc_toupper(int c, rb_encoding *enc)
{
    return rb_isascii(c) ? rb_toupper(c) : c;
}

int rb_enc_tolower(int c, rb_encoding *enc)
{
    return rb_isascii(c) ? rb_tolower(c) : c;
}

int rb_enc_fast_mbclen(const char *p, const char *e, rb_encoding *enc)
{
    return rb_enc_mbclen(p, e, enc);
}

int rb_enc_ascget(const char *p, const char *e, int *len, rb_encoding *enc)
{
    if (e <= p) return -1;
    if (rb_enc_asciicompat(enc)) {
        unsigned char c = (unsigned char)*p;
        if (!rb_isascii(c)) return -1;
        if (len) *len = 1;
        return c;
    }
    int n = rb_enc_precise_mbclen(p, e, enc);
    if (!MBCLEN_CHARFOUND_P(n)) return -1;
    unsigned int c = rb_enc_codepoint(p, e, enc);
    if (c > 127) return -1;
    if (len) *len = n;
    return (int)c;
}

int rbl_enc_mbc_to_codepoint(const char *p, const char *e, rb_encoding *enc)
{
    int out;
    if (rbl_c_mbc_to_codepoint(p, e, enc, &out)) rbl_jump();
    return out;
}

int rbl_enc_code_to_mbc(int code, unsigned char *buffer, rb_encoding *enc)
{
    int out;
    if (rbl_c_code_to_mbc(code, buffer, enc, &out)) rbl_jump();
    return out;
}

/* What structures of encodings point at. */
int rbl_c_mbc_newline(const OnigUChar *p, const OnigUChar *end, rb_encoding *enc)
{
    return p < end && rb_enc_mbc_to_codepoint((const char *)p, (const char *)end, enc) == '\n';
}

int rbl_onigenc_property_name_to_ctype(OnigEncoding enc, const OnigUChar *start, const OnigUChar *end)
{
    int property;
    if (rbl_c_property((const char *)start, (const char *)end, enc, &property)) rbl_jump();
    return property < 0 ? ONIGERR_INVALID_CHAR_PROPERTY_NAME : property;
}

int rbl_onigenc_get_ctype_code_range(OnigEncoding enc, OnigCtype ctype, OnigCodePoint *first,
    const OnigCodePoint **list)
{
    const unsigned int *found;
    if (rbl_c_property_list(ctype, first, enc, &found)) rbl_jump();
    if (!found) return ONIG_NO_SUPPORT_CONFIG;
    *list = found;
    return 0;
}

int rbl_c_code_ctype(OnigCodePoint code, unsigned int ctype, rb_encoding *enc)
{
    OnigCodePoint first;
    const OnigCodePoint *list;
    if (ctype > ONIGENC_CTYPE_ASCII) {
        if (rbl_onigenc_get_ctype_code_range(enc, ctype, &first, &list) != 0) return 0;
        for (OnigCodePoint i = 0; i < list[0]; i++)
            if (code <= list[2 * i + 2]) return code >= list[2 * i + 1];
        return 0;
    }
    return rbl_enc_ctype((int)code, (int)ctype, enc);
}

int rbl_enc_ctype(int code, int type, rb_encoding *enc)
{
    int out;
    if (rbl_c_ctype(code, type, enc, &out)) rbl_jump();
    return out;
}

char *rbl_enc_left_char_head(const char *s, const char *p, const char *e, rb_encoding *enc)
{
    char *out;
    if (rbl_c_left_char_head(s, p, e, enc, &out)) rbl_jump();
    return out;
}

ID rb_intern3(const char *name, long len, rb_encoding *enc)
{
    ID out;
    if (rbl_intern_index(name, len, rb_enc_to_index(enc), &out)) rbl_jump();
    return out;
}

VALUE rb_check_symbol_cstr(const char *name, long len, rb_encoding *enc)
{
    ID out;
    if (rbl_find_index(name, len, rb_enc_to_index(enc), &out)) rbl_jump();
    return out ? ID2SYM(out) : Qnil;
}

ID rb_check_id_cstr(const char *name, long len, rb_encoding *enc)
{
    VALUE symbol = rb_check_symbol_cstr(name, len, enc);
    return NIL_P(symbol) ? 0 : SYM2ID(symbol);
}

/* -- names of symbols -------------------------------------------------------------------------------- */

/* Whether the symbol is written without quotes. */
static int is_plain(VALUE symbol)
{
    VALUE shown = rb_inspect(symbol);
    return RSTRING_LEN(shown) > 1 && RSTRING_PTR(shown)[1] != '"';
}

int rb_str_symname_p(VALUE name)
{
    return is_plain(rb_str_intern(name));
}

/* Whatever is not ASCII is a letter, also where it is broken. */
int rb_enc_symname2_p(const char *name, long len, rb_encoding *enc)
{
    if (len <= 0 || !rb_enc_asciicompat(enc)) return 0;
    VALUE text = rb_usascii_str_new(0, 0);
    for (const char *p = name, *end = name + len; p < end;) {
        int n = rb_enc_precise_mbclen(p, end, enc);
        bool letter = *p & 0x80;
        rb_str_cat(text, letter ? "a" : p, 1);
        p += letter && MBCLEN_CHARFOUND_P(n) ? MBCLEN_CHARFOUND_LEN(n) : 1;
    }
    return is_plain(rb_str_intern(text));
}

int rb_enc_symname_p(const char *name, rb_encoding *enc)
{
    return rb_enc_symname2_p(name, (long)strlen(name), enc);
}

int rb_symname_p(const char *name)
{
    return rb_enc_symname_p(name, rb_ascii8bit_encoding());
}

/* -- code ranges ------------------------------------------------------------------------------------- */

/* How many bytes are whole characters, and what all that was looked at is: unknown,
 * if the last character is cut off. */
long rb_str_coderange_scan_restartable(const char *start, const char *end, rb_encoding *enc, int *range)
{
    const char *p = start;
    bool ascii = rb_enc_asciicompat(enc), only_ascii = ascii && *range != RUBY_ENC_CODERANGE_VALID;
    if (*range == RUBY_ENC_CODERANGE_BROKEN) return end - start;
    while (p < end) {
        if (ascii && rb_isascii(*p)) {
            p++;
            continue;
        }
        int n = rb_enc_to_index(enc) == rb_ascii8bit_encindex() ? 1 : rb_enc_precise_mbclen(p, end, enc);
        if (!MBCLEN_CHARFOUND_P(n)) {
            *range = MBCLEN_INVALID_P(n) ? RUBY_ENC_CODERANGE_BROKEN : RUBY_ENC_CODERANGE_UNKNOWN;
            return p - start;
        }
        only_ascii = false;
        p += n;
    }
    *range = only_ascii ? RUBY_ENC_CODERANGE_7BIT : RUBY_ENC_CODERANGE_VALID;
    return p - start;
}

/* -- conversion ---------------------------------------------------------------------------------------- */

static VALUE encode_options(int flags, VALUE options)
{
    VALUE out = NIL_P(options) ? rb_hash_new() : rb_hash_dup(options);
#define OPTION(key, value) rb_hash_aset(out, ID2SYM((rb_intern)(key)), (value))
    if ((flags & ECONV_INVALID_MASK) == ECONV_INVALID_REPLACE) OPTION("invalid", ID2SYM((rb_intern)("replace")));
    if ((flags & ECONV_UNDEF_MASK) == ECONV_UNDEF_REPLACE) OPTION("undef", ID2SYM((rb_intern)("replace")));
    if (flags & ECONV_UNIVERSAL_NEWLINE_DECORATOR) OPTION("universal_newline", Qtrue);
    if (flags & ECONV_CRLF_NEWLINE_DECORATOR) OPTION("crlf_newline", Qtrue);
    if (flags & ECONV_CR_NEWLINE_DECORATOR) OPTION("cr_newline", Qtrue);
    if (flags & ECONV_XML_TEXT_DECORATOR) OPTION("xml", ID2SYM((rb_intern)("text")));
    if (flags & ECONV_XML_ATTR_QUOTE_DECORATOR) OPTION("xml", ID2SYM((rb_intern)("attr")));
#undef OPTION
    return out;
}

VALUE rb_str_encode(VALUE str, VALUE to, int flags, VALUE options)
{
    VALUE args[2] = {to, encode_options(flags, options)};
    return rbl_own(str, (rb_intern)("encode"), 2, args, WITH_KEYWORDS);
}

struct conversion {
    VALUE str;
    rb_encoding *from, *to;
    int flags;
    VALUE options;
};

static VALUE convert(VALUE arg)
{
    struct conversion *c = (struct conversion *)arg;
    VALUE args[3] = {rb_enc_from_encoding(c->to), rb_enc_from_encoding(c->from), encode_options(c->flags, c->options)};
    return rbl_own(c->str, (rb_intern)("encode"), 3, args, WITH_KEYWORDS);
}

static VALUE same(VALUE arg, VALUE error)
{
    return ((struct conversion *)arg)->str;
}

VALUE rb_str_conv_enc_opts(VALUE str, rb_encoding *from, rb_encoding *to, int flags, VALUE options)
{
    if (!to || !RB_TYPE_P(str, T_STRING)) return str;
    if (!from) from = rb_enc_get(str);
    if (from == to) return str;
    bool plain = rb_enc_asciicompat(from) && rb_enc_asciicompat(to) && rb_enc_str_asciionly_p(str);
    if (plain || rb_enc_to_index(to) == rb_ascii8bit_encindex()) {
        if (rb_enc_get_index(str) != rb_enc_to_index(to)) {
            str = rb_str_dup(str);
            rb_enc_associate(str, to);
        }
        return str;
    }
    struct conversion c = {str, from, to, flags, options};
    return rb_rescue2(convert, (VALUE)&c, same, (VALUE)&c, rb_eEncodingError, rb_eArgError, (VALUE)0);
}

VALUE rb_str_conv_enc(VALUE str, rb_encoding *from, rb_encoding *to)
{
    return rb_str_conv_enc_opts(str, from, to, 0, Qnil);
}

static VALUE search_path(VALUE args)
{
    return OWN(RARRAY_AREF(args, 0), "search_convpath", RARRAY_AREF(args, 1), RARRAY_AREF(args, 2));
}

int rb_econv_has_convpath_p(const char *from, const char *to)
{
    VALUE converter = rb_path2class("Encoding::Converter");
    int state = 0;
    VALUE args = rb_ary_new_from_args(3, converter, rb_str_new_cstr(from), rb_str_new_cstr(to));
    rb_protect(search_path, args, &state);
    if (state) rb_set_errinfo(Qnil);
    return state == 0;
}

int rbl_onigenc_mbc_case_fold(OnigEncoding enc, OnigCaseFoldType flag, const OnigUChar **pp, const OnigUChar *end,
    OnigUChar *fold)
{
    int n = rb_enc_precise_mbclen((const char *)*pp, (const char *)end, enc);
    if (!MBCLEN_CHARFOUND_P(n)) n = 1;
    VALUE text = rb_enc_str_new((const char *)*pp, n, enc);
    text = OWN(text, "downcase", ID2SYM((rb_intern)("fold")));
    *pp += n;
    memcpy(fold, RSTRING_PTR(text), (size_t)RSTRING_LEN(text));
    return (int)RSTRING_LEN(text);
}

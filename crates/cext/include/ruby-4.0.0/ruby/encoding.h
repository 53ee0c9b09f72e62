#ifndef RUBELLITE_RUBY_ENCODING_H
#define RUBELLITE_RUBY_ENCODING_H
/* Encodings, characters and transcoding. */
#include "ruby/ruby.h"
#include "ruby/onigmo.h"

typedef const OnigEncodingType rb_encoding;

enum ruby_coderange_type {
    RUBY_ENC_CODERANGE_UNKNOWN = 0,
    RUBY_ENC_CODERANGE_7BIT = 1 << 20,
    RUBY_ENC_CODERANGE_VALID = 2 << 20,
    RUBY_ENC_CODERANGE_BROKEN = 3 << 20,
    RUBY_ENC_CODERANGE_MASK = 3 << 20
};
#define ENC_CODERANGE_MASK RUBY_ENC_CODERANGE_MASK
#define ENC_CODERANGE_UNKNOWN RUBY_ENC_CODERANGE_UNKNOWN
#define ENC_CODERANGE_7BIT RUBY_ENC_CODERANGE_7BIT
#define ENC_CODERANGE_VALID RUBY_ENC_CODERANGE_VALID
#define ENC_CODERANGE_BROKEN RUBY_ENC_CODERANGE_BROKEN
#define RB_ENC_CODERANGE(obj) ((int)(RBASIC(obj)->flags & (VALUE)RUBY_ENC_CODERANGE_MASK))
#define RB_ENC_CODERANGE_CLEAN_P(cr) ((cr) == RUBY_ENC_CODERANGE_7BIT || (cr) == RUBY_ENC_CODERANGE_VALID)
#define RB_ENC_CODERANGE_ASCIIONLY(obj) (RB_ENC_CODERANGE(obj) == RUBY_ENC_CODERANGE_7BIT)
#define RB_ENC_CODERANGE_SET(obj, cr) \
    (RBASIC(obj)->flags = (RBASIC(obj)->flags & ~(VALUE)RUBY_ENC_CODERANGE_MASK) | (VALUE)(cr))
#define RB_ENC_CODERANGE_CLEAR(obj) RB_ENC_CODERANGE_SET((obj), RUBY_ENC_CODERANGE_UNKNOWN)
#define ENC_CODERANGE RB_ENC_CODERANGE
#define ENC_CODERANGE_CLEAN_P RB_ENC_CODERANGE_CLEAN_P
#define ENC_CODERANGE_ASCIIONLY RB_ENC_CODERANGE_ASCIIONLY
#define ENC_CODERANGE_SET RB_ENC_CODERANGE_SET
#define ENC_CODERANGE_CLEAR RB_ENC_CODERANGE_CLEAR
#define ENC_CODERANGE_AND(a, b) rb_enc_coderange_and((a), (b))
static inline int rb_enc_coderange_and(int a, int b)
{
    if (a == RUBY_ENC_CODERANGE_7BIT) return b;
    if (a == RUBY_ENC_CODERANGE_VALID) return b == RUBY_ENC_CODERANGE_7BIT ? RUBY_ENC_CODERANGE_VALID : b;
    return RUBY_ENC_CODERANGE_UNKNOWN;
}

#define RUBY_ENCODING_INLINE_MAX 255
#define ENCODING_INLINE_MAX RUBY_ENCODING_INLINE_MAX
#define RUBY_ENCODING_SHIFT 22
#define ENCODING_SHIFT RUBY_ENCODING_SHIFT
#define RUBY_ENCODING_MASK ((VALUE)0xff << RUBY_ENCODING_SHIFT)
#define ENCODING_MASK RUBY_ENCODING_MASK
#define RUBY_ENCODING_MAXNAMELEN 42
#define ENCODING_MAXNAMELEN RUBY_ENCODING_MAXNAMELEN
#define RB_ENCODING_GET(obj) rb_enc_get_index(obj)
#define RB_ENCODING_GET_INLINED(obj) rb_enc_get_index(obj)
#define RB_ENCODING_SET(obj, i) rb_enc_set_index((obj), (i))
#define RB_ENCODING_SET_INLINED(obj, i) rb_enc_set_index((obj), (i))
#define RB_ENCODING_IS_ASCII8BIT(obj) (rb_enc_get_index(obj) == rb_ascii8bit_encindex())
#define ENCODING_GET RB_ENCODING_GET
#define ENCODING_GET_INLINED RB_ENCODING_GET_INLINED
#define ENCODING_SET RB_ENCODING_SET
#define ENCODING_SET_INLINED RB_ENCODING_SET_INLINED
#define ENCODING_IS_ASCII8BIT RB_ENCODING_IS_ASCII8BIT
#define ENCODING_CODERANGE_SET(obj, encindex, cr) \
    (rb_enc_set_index((obj), (encindex)), RB_ENC_CODERANGE_SET((obj), (cr)))
#define RB_ENCODING_CODERANGE_SET ENCODING_CODERANGE_SET

typedef enum {
    econv_invalid_byte_sequence,
    econv_undefined_conversion,
    econv_destination_buffer_full,
    econv_source_buffer_empty,
    econv_finished,
    econv_after_output,
    econv_incomplete_input
} rb_econv_result_t;
typedef struct rb_econv_t rb_econv_t;

#define ECONV_ERROR_HANDLER_MASK 0x000000ff
#define ECONV_INVALID_MASK 0x0000000f
#define ECONV_INVALID_REPLACE 0x00000002
#define ECONV_UNDEF_MASK 0x000000f0
#define ECONV_UNDEF_REPLACE 0x00000020
#define ECONV_UNDEF_HEX_CHARREF 0x00000030
#define ECONV_DECORATOR_MASK 0x0001ff00
#define ECONV_NEWLINE_DECORATOR_MASK 0x00007f00
#define ECONV_UNIVERSAL_NEWLINE_DECORATOR 0x00000100
#define ECONV_CRLF_NEWLINE_DECORATOR 0x00001000
#define ECONV_CR_NEWLINE_DECORATOR 0x00002000
#define ECONV_LF_NEWLINE_DECORATOR 0x00004000
#define ECONV_XML_TEXT_DECORATOR 0x00008000
#define ECONV_XML_ATTR_CONTENT_DECORATOR 0x00010000
#define ECONV_XML_ATTR_QUOTE_DECORATOR 0x00100000
#define ECONV_DEFAULT_NEWLINE_DECORATOR 0
#define ECONV_NEWLINE_DECORATOR_READ_MASK 0x00000f00
#define ECONV_NEWLINE_DECORATOR_WRITE_MASK 0x00007000
#define ECONV_STATEFUL_DECORATOR_MASK 0x00f00000
#define ECONV_PARTIAL_INPUT 0x00020000
#define ECONV_AFTER_OUTPUT 0x00040000
enum ruby_econv_flag_type {
    RUBY_ECONV_ERROR_HANDLER_MASK = ECONV_ERROR_HANDLER_MASK,
    RUBY_ECONV_INVALID_MASK = ECONV_INVALID_MASK,
    RUBY_ECONV_INVALID_REPLACE = ECONV_INVALID_REPLACE,
    RUBY_ECONV_UNDEF_MASK = ECONV_UNDEF_MASK,
    RUBY_ECONV_UNDEF_REPLACE = ECONV_UNDEF_REPLACE,
    RUBY_ECONV_UNDEF_HEX_CHARREF = ECONV_UNDEF_HEX_CHARREF,
    RUBY_ECONV_DECORATOR_MASK = ECONV_DECORATOR_MASK,
    RUBY_ECONV_NEWLINE_DECORATOR_MASK = ECONV_NEWLINE_DECORATOR_MASK,
    RUBY_ECONV_UNIVERSAL_NEWLINE_DECORATOR = ECONV_UNIVERSAL_NEWLINE_DECORATOR,
    RUBY_ECONV_CRLF_NEWLINE_DECORATOR = ECONV_CRLF_NEWLINE_DECORATOR,
    RUBY_ECONV_CR_NEWLINE_DECORATOR = ECONV_CR_NEWLINE_DECORATOR,
    RUBY_ECONV_LF_NEWLINE_DECORATOR = ECONV_LF_NEWLINE_DECORATOR,
    RUBY_ECONV_XML_TEXT_DECORATOR = ECONV_XML_TEXT_DECORATOR,
    RUBY_ECONV_XML_ATTR_CONTENT_DECORATOR = ECONV_XML_ATTR_CONTENT_DECORATOR,
    RUBY_ECONV_XML_ATTR_QUOTE_DECORATOR = ECONV_XML_ATTR_QUOTE_DECORATOR,
    RUBY_ECONV_DEFAULT_NEWLINE_DECORATOR = ECONV_DEFAULT_NEWLINE_DECORATOR,
    RUBY_ECONV_NEWLINE_DECORATOR_READ_MASK = ECONV_NEWLINE_DECORATOR_READ_MASK,
    RUBY_ECONV_NEWLINE_DECORATOR_WRITE_MASK = ECONV_NEWLINE_DECORATOR_WRITE_MASK,
    RUBY_ECONV_STATEFUL_DECORATOR_MASK = ECONV_STATEFUL_DECORATOR_MASK,
    RUBY_ECONV_PARTIAL_INPUT = ECONV_PARTIAL_INPUT,
    RUBY_ECONV_AFTER_OUTPUT = ECONV_AFTER_OUTPUT
};

#define MBCLEN_CHARFOUND_P(ret) (0 < (ret))
#define MBCLEN_CHARFOUND_LEN(ret) (ret)
#define MBCLEN_INVALID_P(ret) ((ret) == -1)
#define MBCLEN_NEEDMORE_P(ret) ((ret) < -1)
#define MBCLEN_NEEDMORE_LEN(ret) (-1 - (ret))

RBL_BEGIN_DECLS

/* encoding */
VALUE rb_enc_associate(VALUE, rb_encoding *);
VALUE rb_enc_associate_index(VALUE, int);
VALUE rb_enc_from_encoding(rb_encoding *);
rb_encoding *rb_ascii8bit_encoding(void);
rb_encoding *rb_default_external_encoding(void);
rb_encoding *rb_default_internal_encoding(void);
rb_encoding *rb_enc_check(VALUE, VALUE);
rb_encoding *rb_enc_compatible(VALUE, VALUE);
rb_encoding *rb_enc_find(const char *);
rb_encoding *rb_enc_from_index(int);
rb_encoding *rb_enc_get(VALUE);
rb_encoding *rb_filesystem_encoding(void);
rb_encoding *rb_find_encoding(VALUE);
rb_encoding *rb_locale_encoding(void);
rb_encoding *rb_to_encoding(VALUE);
rb_encoding *rb_usascii_encoding(void);
rb_encoding *rb_utf8_encoding(void);
int rb_ascii8bit_encindex(void);
int rb_char_to_option_kcode(int, int *, int *);
int rb_define_dummy_encoding(const char *);
int rb_enc_alias(const char *, const char *);
int rb_enc_codelen(int, rb_encoding *);
int rb_enc_dummy_p(rb_encoding *);
int rb_enc_find_index(const char *);
int rb_enc_get_index(VALUE);
int rb_enc_mbclen(const char *, const char *, rb_encoding *);
int rb_enc_precise_mbclen(const char *, const char *, rb_encoding *);
int rb_enc_to_index(rb_encoding *);
int rb_filesystem_encindex(void);
int rb_locale_encindex(void);
int rb_to_encoding_index(VALUE);
int rb_usascii_encindex(void);
int rb_utf8_encindex(void);
unsigned int rb_enc_codepoint_len(const char *, const char *, int *, rb_encoding *);
void rb_enc_copy(VALUE, VALUE);
void rb_enc_set_index(VALUE, int);

/* pathname */
const char *ruby_enc_find_extname(const char *, long *, rb_encoding *);
const char *ruby_enc_find_basename(const char *, long *, long *, rb_encoding *);
char *rb_enc_path_next(const char *, const char *, rb_encoding *);
char *rb_enc_path_skip_prefix(const char *, const char *, rb_encoding *);
char *rb_enc_path_last_separator(const char *, const char *, rb_encoding *);
char *rb_enc_path_end(const char *, const char *, rb_encoding *);

/* sprintf */
VALUE rb_enc_sprintf(rb_encoding *, const char *, ...);
RBL_NORETURN void rb_enc_raise(rb_encoding *, VALUE, const char *, ...);

/* string */
VALUE rb_enc_interned_str(const char *, long, rb_encoding *);
VALUE rb_enc_interned_str_cstr(const char *, rb_encoding *);
VALUE rb_enc_str_buf_cat(VALUE, const char *, long, rb_encoding *);
VALUE rb_enc_str_new(const char *, long, rb_encoding *);
VALUE rb_enc_str_new_cstr(const char *, rb_encoding *);
VALUE rb_enc_str_new_static(const char *, long, rb_encoding *);
VALUE rb_enc_uint_chr(unsigned int, rb_encoding *);
VALUE rb_external_str_new_with_enc(const char *, long, rb_encoding *);
VALUE rb_obj_encoding(VALUE);
VALUE rb_str_conv_enc(VALUE, rb_encoding *, rb_encoding *);
VALUE rb_str_conv_enc_opts(VALUE, rb_encoding *, rb_encoding *, int, VALUE);
VALUE rb_str_export_to_enc(VALUE, rb_encoding *);
char *rb_enc_nth(const char *, const char *, long, rb_encoding *);
int rb_enc_str_asciionly_p(VALUE);
int rb_enc_str_coderange(VALUE);
long rb_enc_strlen(const char *, const char *, rb_encoding *);
long rb_str_coderange_scan_restartable(const char *, const char *, rb_encoding *, int *);

/* symbol */
ID rb_intern3(const char *, long, rb_encoding *);
VALUE rb_check_symbol_cstr(const char *, long, rb_encoding *);

/* transcode */
VALUE rb_econv_str_convert(rb_econv_t *, VALUE, int);
VALUE rb_str_encode(VALUE, VALUE, int, VALUE);
int rb_econv_prepare_opts(VALUE, VALUE *);
int rb_econv_prepare_options(VALUE, VALUE *, int);
int rb_econv_decorate_at_first(rb_econv_t *, const char *);
int rb_econv_decorate_at_last(rb_econv_t *, const char *);
int rb_econv_insert_output(rb_econv_t *, const unsigned char *, size_t, const char *);
const char *rb_econv_encoding_to_insert_output(rb_econv_t *);
void rb_econv_putback(rb_econv_t *, unsigned char *, int);
const char *rb_econv_asciicompat_encoding(const char *);
VALUE rb_econv_substr_append(rb_econv_t *, VALUE, long, long, VALUE, int);
VALUE rb_econv_append(rb_econv_t *, const char *, long, VALUE, int);
rb_econv_result_t rb_econv_convert(rb_econv_t *, const unsigned char **, const unsigned char *, unsigned char **,
    unsigned char *, int);
rb_econv_t *rb_econv_open_opts(const char *, const char *, int, VALUE);
void rb_econv_check_error(rb_econv_t *);
void rb_econv_close(rb_econv_t *);

/* and others */
int rb_enc_toupper(int, rb_encoding *);
int rb_enc_tolower(int, rb_encoding *);
int rb_enc_fast_mbclen(const char *, const char *, rb_encoding *);
int rb_enc_ascget(const char *, const char *, int *, rb_encoding *);
unsigned int rb_enc_codepoint(const char *, const char *, rb_encoding *);
int rb_enc_symname_p(const char *, rb_encoding *);
int rb_enc_symname2_p(const char *, long, rb_encoding *);
int rb_enc_unicode_p(rb_encoding *);
int rb_enc_capable(VALUE);
VALUE rb_enc_default_external(void);
VALUE rb_enc_default_internal(void);
void rb_enc_set_default_external(VALUE);
void rb_enc_set_default_internal(VALUE);
VALUE rb_locale_charmap(VALUE);
VALUE rb_enc_reg_new(const char *, long, rb_encoding *, int);
VALUE rb_enc_vsprintf(rb_encoding *, const char *, va_list);
ID rb_check_id_cstr(const char *, long, rb_encoding *);
rb_econv_t *rb_econv_open(const char *, const char *, int);
VALUE rb_econv_substr_convert(rb_econv_t *, VALUE, long, long, int);
VALUE rb_econv_str_append(rb_econv_t *, VALUE, VALUE, int);
int rb_econv_has_convpath_p(const char *, const char *);
VALUE rb_econv_open_exc(const char *, const char *, int);
VALUE rb_econv_make_exception(rb_econv_t *);
int rb_econv_putbackable(rb_econv_t *);
void rb_econv_binmode(rb_econv_t *);
int rb_econv_set_replacement(rb_econv_t *, const unsigned char *, size_t, const char *);
int rbl_enc_mbc_to_codepoint(const char *, const char *, rb_encoding *);
int rbl_enc_code_to_mbc(int, unsigned char *, rb_encoding *);
int rbl_enc_ctype(int, int, rb_encoding *);
char *rbl_enc_left_char_head(const char *, const char *, const char *, rb_encoding *);
RBL_END_DECLS

#define rb_enc_name(enc) ((enc)->name)
#define rb_enc_mbminlen(enc) ((enc)->min_enc_len)
#define rb_enc_mbmaxlen(enc) ((enc)->max_enc_len)
#define rb_enc_asciicompat(enc) ((enc)->ascii_compatible)
#define rb_enc_mbcput(c, buf, enc) rbl_enc_code_to_mbc((int)(c), (unsigned char *)(buf), (enc))
#define rb_enc_mbc_to_codepoint(p, e, enc) rbl_enc_mbc_to_codepoint((p), (e), (enc))
#define rb_enc_code_to_mbclen(c, enc) rb_enc_codelen((int)(c), (enc))
#define rb_enc_left_char_head(s, p, e, enc) rbl_enc_left_char_head((s), (p), (e), (enc))
#define rb_enc_right_char_head(s, p, e, enc) rbl_enc_right_char_head((s), (p), (e), (enc))
#define rb_enc_prev_char(s, p, e, enc) ((p) <= (s) ? (char *)0 : rbl_enc_left_char_head((s), (p) - 1, (e), (enc)))
#define rb_enc_step_back(s, p, e, n, enc) rbl_enc_step_back((s), (p), (e), (n), (enc))
#define rb_enc_is_newline(p, end, enc) ((p) < (end) && *(p) == '\n')
#define rb_enc_isctype(c, t, enc) rbl_enc_ctype((int)(c), (t), (enc))
#define rb_enc_isascii(c, enc) rb_isascii(c)
#define rb_enc_isspace(c, enc) rbl_enc_ctype((int)(c), ONIGENC_CTYPE_SPACE, (enc))
#define rb_enc_isalpha(c, enc) rbl_enc_ctype((int)(c), ONIGENC_CTYPE_ALPHA, (enc))
#define rb_enc_islower(c, enc) rbl_enc_ctype((int)(c), ONIGENC_CTYPE_LOWER, (enc))
#define rb_enc_isupper(c, enc) rbl_enc_ctype((int)(c), ONIGENC_CTYPE_UPPER, (enc))
#define rb_enc_isalnum(c, enc) rbl_enc_ctype((int)(c), ONIGENC_CTYPE_ALNUM, (enc))
#define rb_enc_isprint(c, enc) rbl_enc_ctype((int)(c), ONIGENC_CTYPE_PRINT, (enc))
#define rb_enc_isdigit(c, enc) rbl_enc_ctype((int)(c), ONIGENC_CTYPE_DIGIT, (enc))
#define rb_enc_ispunct(c, enc) rbl_enc_ctype((int)(c), ONIGENC_CTYPE_PUNCT, (enc))
#define rb_enc_iscntrl(c, enc) rbl_enc_ctype((int)(c), ONIGENC_CTYPE_CNTRL, (enc))
#define rb_enc_asciicompat_inline rb_enc_asciicompat

static inline char *rbl_enc_right_char_head(const char *s, const char *p, const char *e, rb_encoding *enc)
{
    char *head = rbl_enc_left_char_head(s, p, e, enc);
    if (head < p) head += rb_enc_mbclen(head, e, enc);
    return head;
}
static inline char *rbl_enc_step_back(const char *s, const char *p, const char *e, int n, rb_encoding *enc)
{
    while (p && n-- > 0) p = rb_enc_prev_char(s, p, e, enc);
    return (char *)p;
}
static inline bool rb_enc_str_asciicompat_p(VALUE str)
{
    return rb_enc_asciicompat(rb_enc_get(str));
}
#define rb_enc_str_asciicompat rb_enc_str_asciicompat_p
#define rb_enc_str_asciicompat_p rb_enc_str_asciicompat_p

#endif

#ifndef RUBELLITE_RUBY_ONIGMO_H
#define RUBELLITE_RUBY_ONIGMO_H
/* Types of the regular expression engine's interface. An encoding tells its name, its widths and its number; the engine itself is
 * reached through `rb_reg_*`. */
#include "ruby/internal/value.h"

typedef unsigned char OnigUChar;
#ifndef ONIG_ESCAPE_UCHAR_COLLISION
# define UChar OnigUChar
#endif
typedef unsigned int OnigCodePoint;
typedef unsigned int OnigCtype;
typedef size_t OnigDistance;
typedef ptrdiff_t OnigPosition;
typedef unsigned int OnigOptionType;
typedef unsigned int OnigCaseFoldType;
#define ONIG_INFINITE_DISTANCE ~((OnigDistance)0)

typedef struct OnigEncodingTypeST {
    const char *name;
    int max_enc_len;
    int min_enc_len;
    int ruby_encoding_index;
    int ascii_compatible;
    int dummy;
    unsigned int flags;
    int (*is_mbc_newline)(const OnigUChar *p, const OnigUChar *end, const struct OnigEncodingTypeST *enc);
    int (*is_code_ctype)(OnigCodePoint code, unsigned int ctype, const struct OnigEncodingTypeST *enc);
} OnigEncodingType;
typedef const OnigEncodingType *OnigEncoding;

struct re_registers {
    int allocated;
    int num_regs;
    OnigPosition *beg;
    OnigPosition *end;
};
typedef struct re_registers OnigRegion;
typedef struct re_pattern_buffer {
    VALUE regexp;
} OnigRegexType;
typedef OnigRegexType *OnigRegex;
typedef OnigRegexType regex_t;

typedef struct {
    OnigEncoding enc;
    OnigUChar *par;
    OnigUChar *par_end;
} OnigErrorInfo;

#define ONIG_OPTION_NONE 0U
#define ONIG_OPTION_DEFAULT ONIG_OPTION_NONE
#define ONIG_OPTION_IGNORECASE 1U
#define ONIG_OPTION_EXTEND (ONIG_OPTION_IGNORECASE << 1)
#define ONIG_OPTION_MULTILINE (ONIG_OPTION_EXTEND << 1)
#define ONIG_OPTION_DOTALL ONIG_OPTION_MULTILINE
#define ONIG_OPTION_SINGLELINE (ONIG_OPTION_MULTILINE << 1)
#define ONIG_OPTION_FIND_LONGEST (1U << 4)
#define ONIG_OPTION_FIND_NOT_EMPTY (1U << 5)
#define ONIG_OPTION_NEGATE_SINGLELINE (1U << 6)
#define ONIG_OPTION_DONT_CAPTURE_GROUP (1U << 7)
#define ONIG_OPTION_CAPTURE_GROUP (1U << 8)
#define ONIG_OPTION_NOTBOL (1U << 9)
#define ONIG_OPTION_NOTEOL (1U << 10)
#define ONIG_OPTION_NOTBOS (1U << 11)
#define ONIG_OPTION_NOTEOS (1U << 12)
#define ONIG_OPTION_ASCII_RANGE (1U << 13)
#define ONIG_OPTION_POSIX_BRACKET_ALL_RANGE (1U << 14)
#define ONIG_OPTION_WORD_BOUND_ALL_RANGE (1U << 15)
#define ONIG_OPTION_NEWLINE_CRLF (1U << 16)
#define ONIG_NORMAL 0
#define ONIG_MISMATCH -1
#define ONIG_NO_SUPPORT_CONFIG -2
#define ONIGERR_MEMORY -5
#define ONIG_REGION_NOTPOS -1
#define ONIG_MAX_ERROR_MESSAGE_LEN 90

#define ONIGENC_CTYPE_NEWLINE 0
#define ONIGENC_CTYPE_ALPHA 1
#define ONIGENC_CTYPE_BLANK 2
#define ONIGENC_CTYPE_CNTRL 3
#define ONIGENC_CTYPE_DIGIT 4
#define ONIGENC_CTYPE_GRAPH 5
#define ONIGENC_CTYPE_LOWER 6
#define ONIGENC_CTYPE_PRINT 7
#define ONIGENC_CTYPE_PUNCT 8
#define ONIGENC_CTYPE_SPACE 9
#define ONIGENC_CTYPE_UPPER 10
#define ONIGENC_CTYPE_XDIGIT 11
#define ONIGENC_CTYPE_WORD 12
#define ONIGENC_CTYPE_ALNUM 13
#define ONIGENC_CTYPE_ASCII 14
#define ONIGENC_CODE_TO_MBC_MAXLEN 7
#define ONIGENC_MBC_CASE_FOLD_MAXLEN 18
#define ONIGENC_CASE_FOLD_DEFAULT 0
#define ONIGENC_CASE_FOLD (1u << 19)
#define ONIGENC_GET_CASE_FOLD_CODES_MAX_NUM 13
#define ONIGENC_MBC_CASE_FOLD(enc, flag, pp, end, buf) rbl_onigenc_mbc_case_fold((enc), (flag), (const OnigUChar **)(pp), (end), (buf))
#define ONIGENC_IS_UNICODE(enc) rb_enc_unicode_p(enc)
#define ONIGENC_MBC_MAXLEN(enc) ((enc)->max_enc_len)
#define ONIGENC_MBC_MINLEN(enc) ((enc)->min_enc_len)
#define ONIGENC_NAME(enc) ((enc)->name)
#define ONIGENC_PROPERTY_NAME_TO_CTYPE(enc, p, end) onigenc_property_name_to_ctype((enc), (p), (end))
#define ONIGENC_GET_CTYPE_CODE_RANGE(enc, ctype, sbout, ranges) onigenc_get_ctype_code_range((enc), (ctype), (sbout), (ranges))

/* The runtime has an engine of its own inside, whose functions have these names. */
#define onig_error_code_to_str rbl_onig_error_code_to_str
#define onig_foreach_name rbl_onig_foreach_name
#define onig_free rbl_onig_free
#define onig_match rbl_onig_match
#define onig_name_to_backref_number rbl_onig_name_to_backref_number
#define onig_new rbl_onig_new
#define onig_number_of_captures rbl_onig_number_of_captures
#define onig_number_of_names rbl_onig_number_of_names
#define onig_region_clear rbl_onig_region_clear
#define onig_region_copy rbl_onig_region_copy
#define onig_region_free rbl_onig_region_free
#define onig_region_init rbl_onig_region_init
#define onig_region_new rbl_onig_region_new
#define onig_region_resize rbl_onig_region_resize
#define onig_region_set rbl_onig_region_set
#define onig_search rbl_onig_search
#define onigenc_get_ctype_code_range rbl_onigenc_get_ctype_code_range
#define onigenc_property_name_to_ctype rbl_onigenc_property_name_to_ctype

RBL_BEGIN_DECLS


OnigPosition rbl_onig_match(OnigRegex, const OnigUChar *, const OnigUChar *, const OnigUChar *, OnigRegion *, OnigOptionType);
OnigPosition rbl_onig_search(OnigRegex, const OnigUChar *, const OnigUChar *, const OnigUChar *, const OnigUChar *, OnigRegion *, OnigOptionType);
int rbl_onig_foreach_name(OnigRegex, int (*)(const OnigUChar *, const OnigUChar *, int, int *, OnigRegex, void *), void *);
int rbl_onig_name_to_backref_number(OnigRegex, const OnigUChar *, const OnigUChar *, const OnigRegion *);
int rbl_onig_region_set(OnigRegion *, int, int, int);
void rbl_onig_region_clear(OnigRegion *);
void rbl_onig_region_free(OnigRegion *, int);
void rbl_onig_region_init(OnigRegion *);
void rbl_onig_free(OnigRegex);
int rbl_onig_new(OnigRegex *, const OnigUChar *, const OnigUChar *, OnigOptionType, OnigEncoding, const void *, OnigErrorInfo *);
int rbl_onig_error_code_to_str(OnigUChar *, OnigPosition, ...);
int rbl_onig_number_of_names(const OnigRegexType *);
int rbl_onig_number_of_captures(const OnigRegexType *);
OnigRegion *rbl_onig_region_new(void);
int rbl_onig_region_resize(OnigRegion *, int);
void rbl_onig_region_copy(OnigRegion *, const OnigRegion *);
int rbl_onigenc_mbc_case_fold(OnigEncoding, OnigCaseFoldType, const OnigUChar **, const OnigUChar *, OnigUChar *);
int rbl_onigenc_property_name_to_ctype(OnigEncoding, const OnigUChar *, const OnigUChar *);
int rbl_onigenc_get_ctype_code_range(OnigEncoding, OnigCtype, OnigCodePoint *, const OnigCodePoint **);
RBL_END_DECLS
#endif

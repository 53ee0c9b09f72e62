#ifndef RUBELLITE_RUBY_ONIGMO_H
#define RUBELLITE_RUBY_ONIGMO_H
/* Types of the regular expression engine's interface. An encoding tells its name, its widths and its number; the engine
 * itself is reached through `rb_reg_*`. */
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
/* A Regexp, the string that it is about to match where that is known, the encoding of what it matches otherwise, and
 * what `onig_name_to_group_numbers` gave last. */
typedef struct re_pattern_buffer {
    VALUE regexp;
    VALUE string;
    OnigEncoding enc;
    int *numbers;
} OnigRegexType;
typedef OnigRegexType *OnigRegex;
typedef OnigRegexType regex_t;

typedef struct {
    OnigEncoding enc;
    OnigUChar *par;
    OnigUChar *par_end;
} OnigErrorInfo;

typedef struct {
    OnigCodePoint esc;
    OnigCodePoint anychar;
    OnigCodePoint anytime;
    OnigCodePoint zero_or_one_time;
    OnigCodePoint one_or_more_time;
    OnigCodePoint anychar_anytime;
} OnigMetaCharTableType;
typedef struct {
    unsigned int op;
    unsigned int op2;
    unsigned int behavior;
    OnigOptionType options;
    OnigMetaCharTableType meta_char_table;
} OnigSyntaxType;
typedef struct {
    int num_of_elements;
    OnigEncoding pattern_enc;
    OnigEncoding target_enc;
    OnigSyntaxType *syntax;
    OnigOptionType option;
    OnigCaseFoldType case_fold_flag;
} OnigCompileInfo;
typedef struct {
    int byte_len;
    int code_len;
    OnigCodePoint code[3];
} OnigCaseFoldCodeItem;
typedef struct {
    int lower;
    int upper;
} OnigRepeatRange;
typedef int (*OnigApplyAllCaseFoldFunc)(OnigCodePoint, OnigCodePoint *, int, void *);
typedef void (*OnigWarnFunc)(const char *);

#include "ruby/internal/onigmo_numbers.h"
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
#define ONIG_OPTION_ON(options, regopt) ((options) |= (regopt))
#define ONIG_OPTION_OFF(options, regopt) ((options) &= ~(regopt))
#define ONIG_IS_OPTION_ON(options, option) ((options) & (option))
#define ONIG_NORMAL 0
#define ONIG_MISMATCH -1
#define ONIG_NO_SUPPORT_CONFIG -2
#define ONIGERR_MEMORY -5
#define ONIGERR_PARSER_BUG -11
#define ONIGERR_INVALID_ARGUMENT -30
#define ONIGERR_UNDEFINED_NAME_REFERENCE -217
#define ONIGERR_NOT_SUPPORTED_ENCODING_COMBINATION -402
#define ONIG_IS_PATTERN_ERROR(code) ((code) <= -100 && (code) > -1000)
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
#define ONIGENC_CASE_UPCASE (1u << 13)
#define ONIGENC_CASE_DOWNCASE (1u << 14)
#define ONIGENC_CASE_TITLECASE (1u << 15)
#define ONIGENC_CASE_MODIFIED (1u << 18)
#define ONIGENC_CASE_FOLD (1u << 19)
#define ONIGENC_CASE_FOLD_MIN (1u << 30)
#define ONIG_SYNTAX_RUBY (&OnigSyntaxRuby)
#define ONIG_SYNTAX_DEFAULT OnigDefaultSyntax
#define ONIGENC_GET_CASE_FOLD_CODES_MAX_NUM 13
#define ONIGENC_MBC_CASE_FOLD(enc, flag, pp, end, buf) \
    rbl_onigenc_mbc_case_fold((enc), (flag), (const OnigUChar **)(pp), (end), (buf))
#define ONIGENC_IS_UNICODE(enc) rb_enc_unicode_p(enc)
#define ONIG_EXTERN extern
#define ONIG_ENCODING_ASCII ((OnigEncoding)rb_ascii8bit_encoding())
#define ONIG_ENCODING_UNDEF ((OnigEncoding)0)
#define ONIGENC_IS_UNDEF(enc) ((enc) == ONIG_ENCODING_UNDEF)
#define ONIGENC_IS_SINGLEBYTE(enc) (ONIGENC_MBC_MAXLEN(enc) == 1)
#define ONIGENC_IS_MBC_ASCII(p) (*(p) < 128)
#define ONIGENC_IS_CODE_ASCII(code) ((code) < 128)
#define ONIGENC_IS_MBC_HEAD(enc, p, e) (ONIGENC_MBC_ENC_LEN((enc), (p), (e)) != 1)
#define ONIGENC_MBC_ENC_LEN(enc, p, e) onigenc_mbclen((p), (e), (enc))
#define onig_enc_len(enc, p, e) ONIGENC_MBC_ENC_LEN((enc), (p), (e))
#define ONIGENC_MBC_MAXLEN_DIST(enc) ONIGENC_MBC_MAXLEN(enc)
#define ONIGENC_PRECISE_MBC_ENC_LEN(enc, p, e) rb_enc_precise_mbclen((const char *)(p), (const char *)(e), (enc))
#define ONIGENC_CONSTRUCT_MBCLEN_CHARFOUND(n) (n)
#define ONIGENC_MBCLEN_CHARFOUND_P(r) (0 < (r))
#define ONIGENC_MBCLEN_CHARFOUND_LEN(r) (r)
#define ONIGENC_CONSTRUCT_MBCLEN_INVALID() (-1)
#define ONIGENC_MBCLEN_INVALID_P(r) ((r) == -1)
#define ONIGENC_CONSTRUCT_MBCLEN_NEEDMORE(n) (-1 - (n))
#define ONIGENC_MBCLEN_NEEDMORE_P(r) ((r) < -1)
#define ONIGENC_MBCLEN_NEEDMORE_LEN(r) (-1 - (r))
#define ONIGENC_MBC_TO_CODE(enc, p, e) \
    ((OnigCodePoint)rb_enc_mbc_to_codepoint((const char *)(p), (const char *)(e), (enc)))
#define ONIGENC_CODE_TO_MBCLEN(enc, code) rb_enc_code_to_mbclen((code), (enc))
#define ONIGENC_CODE_TO_MBC(enc, code, buf) rb_enc_mbcput((code), (buf), (enc))
#define ONIGENC_LEFT_ADJUST_CHAR_HEAD(enc, start, s, e) onigenc_get_left_adjust_char_head((enc), (start), (s), (e))
#define ONIGENC_STEP_BACK(enc, start, s, e, n) onigenc_step_back((enc), (start), (s), (e), (n))
#define ONIGENC_IS_MBC_NEWLINE(enc, p, e) ((enc)->is_mbc_newline((p), (e), (enc)))
#define ONIGENC_IS_CODE_CTYPE(enc, code, ctype) ((enc)->is_code_ctype((code), (ctype), (enc)))
#define ONIGENC_IS_CODE_NEWLINE(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_NEWLINE)
#define ONIGENC_IS_CODE_GRAPH(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_GRAPH)
#define ONIGENC_IS_CODE_PRINT(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_PRINT)
#define ONIGENC_IS_CODE_ALNUM(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_ALNUM)
#define ONIGENC_IS_CODE_ALPHA(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_ALPHA)
#define ONIGENC_IS_CODE_LOWER(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_LOWER)
#define ONIGENC_IS_CODE_UPPER(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_UPPER)
#define ONIGENC_IS_CODE_CNTRL(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_CNTRL)
#define ONIGENC_IS_CODE_PUNCT(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_PUNCT)
#define ONIGENC_IS_CODE_SPACE(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_SPACE)
#define ONIGENC_IS_CODE_BLANK(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_BLANK)
#define ONIGENC_IS_CODE_DIGIT(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_DIGIT)
#define ONIGENC_IS_CODE_XDIGIT(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_XDIGIT)
#define ONIGENC_IS_CODE_WORD(enc, code) ONIGENC_IS_CODE_CTYPE((enc), (code), ONIGENC_CTYPE_WORD)
#define ONIGENC_IS_MBC_WORD(enc, s, e) ONIGENC_IS_CODE_WORD((enc), ONIGENC_MBC_TO_CODE((enc), (s), (e)))
#define ONIGENC_CODE_RANGE_NUM(range) ((int)(range)[0])
#define ONIGENC_CODE_RANGE_FROM(range, i) (range)[(i) * 2 + 1]
#define ONIGENC_CODE_RANGE_TO(range, i) (range)[(i) * 2 + 2]
#define OnigCodePointCount(n) ((n) & OnigCodePointMask)
#define OnigCaseFoldFlags(n) ((n) & ~OnigCodePointMask)
#define ONIG_IS_CAPTURE_HISTORY_GROUP(r, i) 0
#define ONIG_NULL_WARN onig_null_warn
#define mbclen(p, e, enc) rb_enc_mbclen((p), (e), (enc))
#define ONIGENC_MBC_MAXLEN(enc) ((enc)->max_enc_len)
#define ONIGENC_MBC_MINLEN(enc) ((enc)->min_enc_len)
#define ONIGENC_NAME(enc) ((enc)->name)
#define ONIGENC_PROPERTY_NAME_TO_CTYPE(enc, p, end) onigenc_property_name_to_ctype((enc), (p), (end))
#define ONIGENC_GET_CTYPE_CODE_RANGE(enc, ctype, sbout, ranges) \
    onigenc_get_ctype_code_range((enc), (ctype), (sbout), (ranges))

/* The runtime has an engine of its own inside, whose functions have these names. */
#define onig_capture_tree_traverse rbl_onig_capture_tree_traverse
#define onig_check_linear_time rbl_onig_check_linear_time
#define onig_copy_encoding rbl_onig_copy_encoding
#define onig_copy_syntax rbl_onig_copy_syntax
#define onig_copyright rbl_onig_copyright
#define onig_end rbl_onig_end
#define onig_error_code_to_str rbl_onig_error_code_to_str
#define onig_foreach_name rbl_onig_foreach_name
#define onig_free rbl_onig_free
#define onig_free_body rbl_onig_free_body
#define onig_get_case_fold_flag rbl_onig_get_case_fold_flag
#define onig_get_default_case_fold_flag rbl_onig_get_default_case_fold_flag
#define onig_get_encoding rbl_onig_get_encoding
#define onig_get_match_stack_limit_size rbl_onig_get_match_stack_limit_size
#define onig_get_options rbl_onig_get_options
#define onig_get_parse_depth_limit rbl_onig_get_parse_depth_limit
#define onig_get_syntax rbl_onig_get_syntax
#define onig_get_syntax_behavior rbl_onig_get_syntax_behavior
#define onig_get_syntax_op rbl_onig_get_syntax_op
#define onig_get_syntax_op2 rbl_onig_get_syntax_op2
#define onig_get_syntax_options rbl_onig_get_syntax_options
#define onig_init rbl_onig_init
#define onig_initialize rbl_onig_initialize
#define onig_match rbl_onig_match
#define onig_name_to_backref_number rbl_onig_name_to_backref_number
#define onig_name_to_group_numbers rbl_onig_name_to_group_numbers
#define onig_new rbl_onig_new
#define onig_new_deluxe rbl_onig_new_deluxe
#define onig_new_without_alloc rbl_onig_new_without_alloc
#define onig_noname_group_capture_is_active rbl_onig_noname_group_capture_is_active
#define onig_null_warn rbl_onig_null_warn
#define onig_number_of_capture_histories rbl_onig_number_of_capture_histories
#define onig_number_of_captures rbl_onig_number_of_captures
#define onig_number_of_names rbl_onig_number_of_names
#define onig_reg_copy rbl_onig_reg_copy
#define onig_reg_init rbl_onig_reg_init
#define onig_region_clear rbl_onig_region_clear
#define onig_region_copy rbl_onig_region_copy
#define onig_region_free rbl_onig_region_free
#define onig_region_init rbl_onig_region_init
#define onig_region_new rbl_onig_region_new
#define onig_region_resize rbl_onig_region_resize
#define onig_region_set rbl_onig_region_set
#define onig_scan rbl_onig_scan
#define onig_search rbl_onig_search
#define onig_search_gpos rbl_onig_search_gpos
#define onig_set_default_case_fold_flag rbl_onig_set_default_case_fold_flag
#define onig_set_default_syntax rbl_onig_set_default_syntax
#define onig_set_match_stack_limit_size rbl_onig_set_match_stack_limit_size
#define onig_set_meta_char rbl_onig_set_meta_char
#define onig_set_parse_depth_limit rbl_onig_set_parse_depth_limit
#define onig_set_syntax_behavior rbl_onig_set_syntax_behavior
#define onig_set_syntax_op rbl_onig_set_syntax_op
#define onig_set_syntax_op2 rbl_onig_set_syntax_op2
#define onig_set_syntax_options rbl_onig_set_syntax_options
#define onig_set_verb_warn_func rbl_onig_set_verb_warn_func
#define onig_set_warn_func rbl_onig_set_warn_func
#define onig_version rbl_onig_version
#define onigenc_ascii_only_case_map rbl_onigenc_ascii_only_case_map
#define onigenc_get_ctype_code_range rbl_onigenc_get_ctype_code_range
#define onigenc_get_default_encoding rbl_onigenc_get_default_encoding
#define onigenc_get_left_adjust_char_head rbl_onigenc_get_left_adjust_char_head
#define onigenc_get_prev_char_head rbl_onigenc_get_prev_char_head
#define onigenc_get_right_adjust_char_head rbl_onigenc_get_right_adjust_char_head
#define onigenc_get_right_adjust_char_head_with_prev rbl_onigenc_get_right_adjust_char_head_with_prev
#define onigenc_init rbl_onigenc_init
#define onigenc_mbc_case_fold rbl_onigenc_mbc_case_fold
#define onigenc_mbclen rbl_onigenc_mbclen
#define onigenc_property_name_to_ctype rbl_onigenc_property_name_to_ctype
#define onigenc_set_default_encoding rbl_onigenc_set_default_encoding
#define onigenc_step_back rbl_onigenc_step_back
#define onigenc_str_bytelen_null rbl_onigenc_str_bytelen_null
#define onigenc_strlen rbl_onigenc_strlen
#define onigenc_strlen_null rbl_onigenc_strlen_null
#define OnigSyntaxRuby rbl_OnigSyntaxRuby
#define OnigDefaultSyntax rbl_OnigDefaultSyntax

RBL_BEGIN_DECLS
extern const OnigSyntaxType rbl_OnigSyntaxRuby;
extern const OnigSyntaxType *rbl_OnigDefaultSyntax;
OnigPosition rbl_onig_scan(OnigRegex, const OnigUChar *, const OnigUChar *, OnigRegion *, OnigOptionType,
    int (*)(OnigPosition, OnigPosition, OnigRegion *, void *), void *);
OnigPosition rbl_onig_search_gpos(OnigRegex, const OnigUChar *, const OnigUChar *, const OnigUChar *, const OnigUChar *,
    const OnigUChar *, OnigRegion *, OnigOptionType);
int rbl_onig_new_without_alloc(OnigRegex, const OnigUChar *, const OnigUChar *, OnigOptionType, OnigEncoding,
    const OnigSyntaxType *, OnigErrorInfo *);
int rbl_onig_new_deluxe(OnigRegex *, const OnigUChar *, const OnigUChar *, OnigCompileInfo *, OnigErrorInfo *);
int rbl_onig_reg_init(OnigRegex, OnigOptionType, OnigCaseFoldType, OnigEncoding, const OnigSyntaxType *);
void rbl_onig_free_body(OnigRegex);
int rbl_onig_reg_copy(OnigRegex *, OnigRegex);
int rbl_onig_check_linear_time(OnigRegex);
int rbl_onig_name_to_group_numbers(OnigRegex, const OnigUChar *, const OnigUChar *, int **);
int rbl_onig_number_of_capture_histories(const OnigRegexType *);
int rbl_onig_capture_tree_traverse(OnigRegion *, int, int (*)(int, OnigPosition, OnigPosition, int, int, void *),
    void *);
int rbl_onig_noname_group_capture_is_active(const OnigRegexType *);
OnigEncoding rbl_onig_get_encoding(const OnigRegexType *);
OnigOptionType rbl_onig_get_options(const OnigRegexType *);
OnigCaseFoldType rbl_onig_get_case_fold_flag(const OnigRegexType *);
const OnigSyntaxType *rbl_onig_get_syntax(const OnigRegexType *);
int rbl_onigenc_mbclen(const OnigUChar *, const OnigUChar *, const OnigEncodingType *);
OnigUChar *rbl_onigenc_get_left_adjust_char_head(OnigEncoding, const OnigUChar *, const OnigUChar *, const OnigUChar *);
OnigUChar *rbl_onigenc_get_right_adjust_char_head_with_prev(OnigEncoding, const OnigUChar *, const OnigUChar *,
    const OnigUChar *, const OnigUChar **);
OnigUChar *rbl_onigenc_get_right_adjust_char_head(OnigEncoding, const OnigUChar *, const OnigUChar *,
    const OnigUChar *);
OnigUChar *rbl_onigenc_get_prev_char_head(OnigEncoding, const OnigUChar *, const OnigUChar *, const OnigUChar *);
OnigUChar *rbl_onigenc_step_back(OnigEncoding, const OnigUChar *, const OnigUChar *, const OnigUChar *, int);
int rbl_onigenc_strlen(OnigEncoding, const OnigUChar *, const OnigUChar *);
int rbl_onigenc_str_bytelen_null(OnigEncoding, const OnigUChar *);
int rbl_onigenc_strlen_null(OnigEncoding, const OnigUChar *);
int rbl_onigenc_ascii_only_case_map(OnigCaseFoldType *, const OnigUChar **, const OnigUChar *, OnigUChar *, OnigUChar *,
    const OnigEncodingType *);
int rbl_onigenc_init(void);
int rbl_onigenc_set_default_encoding(OnigEncoding);
OnigEncoding rbl_onigenc_get_default_encoding(void);
void rbl_onig_copy_encoding(OnigEncodingType *, OnigEncoding);
int rbl_onig_set_default_syntax(const OnigSyntaxType *);
void rbl_onig_copy_syntax(OnigSyntaxType *, const OnigSyntaxType *);
unsigned int rbl_onig_get_syntax_op(const OnigSyntaxType *);
unsigned int rbl_onig_get_syntax_op2(const OnigSyntaxType *);
unsigned int rbl_onig_get_syntax_behavior(const OnigSyntaxType *);
OnigOptionType rbl_onig_get_syntax_options(const OnigSyntaxType *);
void rbl_onig_set_syntax_op(OnigSyntaxType *, unsigned int);
void rbl_onig_set_syntax_op2(OnigSyntaxType *, unsigned int);
void rbl_onig_set_syntax_behavior(OnigSyntaxType *, unsigned int);
void rbl_onig_set_syntax_options(OnigSyntaxType *, OnigOptionType);
int rbl_onig_set_meta_char(OnigSyntaxType *, unsigned int, OnigCodePoint);
int rbl_onig_initialize(OnigEncoding *, int);
int rbl_onig_init(void);
int rbl_onig_end(void);
void rbl_onig_null_warn(const char *);
void rbl_onig_set_warn_func(OnigWarnFunc);
void rbl_onig_set_verb_warn_func(OnigWarnFunc);
OnigCaseFoldType rbl_onig_get_default_case_fold_flag(void);
unsigned int rbl_onig_get_match_stack_limit_size(void);
unsigned int rbl_onig_get_parse_depth_limit(void);
int rbl_onig_set_default_case_fold_flag(OnigCaseFoldType);
int rbl_onig_set_match_stack_limit_size(unsigned int);
int rbl_onig_set_parse_depth_limit(unsigned int);
const char *rbl_onig_version(void);
const char *rbl_onig_copyright(void);
OnigPosition rbl_onig_match(OnigRegex, const OnigUChar *, const OnigUChar *, const OnigUChar *, OnigRegion *,
    OnigOptionType);
OnigPosition rbl_onig_search(OnigRegex, const OnigUChar *, const OnigUChar *, const OnigUChar *, const OnigUChar *,
    OnigRegion *, OnigOptionType);
int rbl_onig_foreach_name(OnigRegex, int (*)(const OnigUChar *, const OnigUChar *, int, int *, OnigRegex, void *),
    void *);
int rbl_onig_name_to_backref_number(OnigRegex, const OnigUChar *, const OnigUChar *, const OnigRegion *);
int rbl_onig_region_set(OnigRegion *, int, int, int);
void rbl_onig_region_clear(OnigRegion *);
void rbl_onig_region_free(OnigRegion *, int);
void rbl_onig_region_init(OnigRegion *);
void rbl_onig_free(OnigRegex);
int rbl_onig_new(OnigRegex *, const OnigUChar *, const OnigUChar *, OnigOptionType, OnigEncoding,
    const OnigSyntaxType *, OnigErrorInfo *);
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

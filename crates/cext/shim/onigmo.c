/* What Onigmo's interface has besides matching: encodings' characters, syntaxes, limits, texts of errors.
 * Only Ruby's syntax is compiled. */
#include "rbl.h"

/* -- characters ------------------------------------------------------------------------------------ */

int rbl_onigenc_mbclen(const OnigUChar *p, const OnigUChar *end, const OnigEncodingType *enc)
{
    return rb_enc_mbclen((const char *)p, (const char *)end, enc);
}

static OnigUChar *head(OnigEncoding enc, const OnigUChar *start, const OnigUChar *at, const OnigUChar *end)
{
    return (OnigUChar *)rbl_enc_left_char_head((const char *)start, (const char *)at, (const char *)end, enc);
}

OnigUChar *rbl_onigenc_get_left_adjust_char_head(OnigEncoding enc, const OnigUChar *start, const OnigUChar *at,
    const OnigUChar *end)
{
    return head(enc, start, at, end);
}

/* `before` is the character in front, when the place was inside one, or else null. */
OnigUChar *rbl_onigenc_get_right_adjust_char_head_with_prev(OnigEncoding enc, const OnigUChar *start,
    const OnigUChar *at, const OnigUChar *end, const OnigUChar **before)
{
    OnigUChar *p = head(enc, start, at, end);
    bool inside = p < at;
    if (before) *before = inside ? p : 0;
    if (inside) p += rbl_onigenc_mbclen(p, end, enc);
    return p;
}

OnigUChar *rbl_onigenc_get_right_adjust_char_head(OnigEncoding enc, const OnigUChar *start, const OnigUChar *at,
    const OnigUChar *end)
{
    return rbl_onigenc_get_right_adjust_char_head_with_prev(enc, start, at, end, 0);
}

OnigUChar *rbl_onigenc_get_prev_char_head(OnigEncoding enc, const OnigUChar *start, const OnigUChar *at,
    const OnigUChar *end)
{
    return at <= start ? 0 : head(enc, start, at - 1, end);
}

OnigUChar *rbl_onigenc_step_back(OnigEncoding enc, const OnigUChar *start, const OnigUChar *at, const OnigUChar *end,
    int n)
{
    const OnigUChar *p = at;
    while (p && n-- > 0) p = rbl_onigenc_get_prev_char_head(enc, start, p, end);
    return (OnigUChar *)p;
}

int rbl_onigenc_strlen(OnigEncoding enc, const OnigUChar *p, const OnigUChar *end)
{
    int n = 0;
    for (; p < end; p += rbl_onigenc_mbclen(p, end, enc)) n++;
    return n;
}

/* The bytes in front of a character of NULs. */
int rbl_onigenc_str_bytelen_null(OnigEncoding enc, const OnigUChar *text)
{
    static const OnigUChar nothing[4];
    const OnigUChar *p = text;
    size_t width = (size_t)enc->min_enc_len;
    while (memcmp(p, nothing, width) != 0) p += width;
    return (int)(p - text);
}

int rbl_onigenc_strlen_null(OnigEncoding enc, const OnigUChar *text)
{
    return rbl_onigenc_strlen(enc, text, text + rbl_onigenc_str_bytelen_null(enc, text));
}

int rbl_onigenc_ascii_only_case_map(OnigCaseFoldType *flags, const OnigUChar **from, const OnigUChar *end,
    OnigUChar *to, OnigUChar *to_end, const OnigEncodingType *enc)
{
    OnigUChar *begin = to;
    OnigCaseFoldType how = *flags;
    while (*from < end && to < to_end) {
        int n = rb_enc_precise_mbclen((const char *)*from, (const char *)end, enc);
        if (!MBCLEN_CHARFOUND_P(n)) return n;
        int code = rbl_enc_mbc_to_codepoint((const char *)*from, (const char *)end, enc);
        *from += n;
        int changed = code;
        if (how & ONIGENC_CASE_UPCASE) changed = rb_toupper(code);
        else if (how & ONIGENC_CASE_DOWNCASE) changed = rb_tolower(code);
        if (changed != code) how |= ONIGENC_CASE_MODIFIED;
        to += rbl_enc_code_to_mbc(changed, to, enc);
        if (how & ONIGENC_CASE_TITLECASE) how ^= ONIGENC_CASE_UPCASE | ONIGENC_CASE_DOWNCASE | ONIGENC_CASE_TITLECASE;
    }
    *flags = how;
    return (int)(to - begin);
}

static OnigEncoding default_encoding;

int rbl_onigenc_init(void)
{
    return 0;
}

int rbl_onigenc_set_default_encoding(OnigEncoding enc)
{
    default_encoding = enc;
    return 0;
}

OnigEncoding rbl_onigenc_get_default_encoding(void)
{
    return default_encoding ? default_encoding : rb_ascii8bit_encoding();
}

void rbl_onig_copy_encoding(OnigEncodingType *to, OnigEncoding from)
{
    *to = *from;
}

/* -- syntaxes -------------------------------------------------------------------------------------- */

/* The bits are Onigmo's for what Ruby's syntax has. */
const OnigSyntaxType rbl_OnigSyntaxRuby = {
    0x7ff7d556U, 0xa26b3bdaU, 0x87a003dbU,
    ONIG_OPTION_ASCII_RANGE | ONIG_OPTION_POSIX_BRACKET_ALL_RANGE | ONIG_OPTION_WORD_BOUND_ALL_RANGE,
    {'\\', 0, 0, 0, 0, 0},
};
const OnigSyntaxType *rbl_OnigDefaultSyntax = &rbl_OnigSyntaxRuby;

int rbl_onig_set_default_syntax(const OnigSyntaxType *syntax)
{
    rbl_OnigDefaultSyntax = syntax ? syntax : &rbl_OnigSyntaxRuby;
    return 0;
}

void rbl_onig_copy_syntax(OnigSyntaxType *to, const OnigSyntaxType *from)
{
    *to = *from;
}

unsigned int rbl_onig_get_syntax_op(const OnigSyntaxType *syntax) { return syntax->op; }
unsigned int rbl_onig_get_syntax_op2(const OnigSyntaxType *syntax) { return syntax->op2; }
unsigned int rbl_onig_get_syntax_behavior(const OnigSyntaxType *syntax) { return syntax->behavior; }
OnigOptionType rbl_onig_get_syntax_options(const OnigSyntaxType *syntax) { return syntax->options; }
void rbl_onig_set_syntax_op(OnigSyntaxType *syntax, unsigned int op) { syntax->op = op; }
void rbl_onig_set_syntax_op2(OnigSyntaxType *syntax, unsigned int op2) { syntax->op2 = op2; }
void rbl_onig_set_syntax_behavior(OnigSyntaxType *syntax, unsigned int behavior) { syntax->behavior = behavior; }
void rbl_onig_set_syntax_options(OnigSyntaxType *syntax, OnigOptionType options) { syntax->options = options; }

int rbl_onig_set_meta_char(OnigSyntaxType *syntax, unsigned int what, OnigCodePoint code)
{
    OnigMetaCharTableType *table = &syntax->meta_char_table;
    OnigCodePoint *places[] = {&table->esc, &table->anychar, &table->anytime, &table->zero_or_one_time,
        &table->one_or_more_time, &table->anychar_anytime};
    if (what >= sizeof places / sizeof *places) return ONIGERR_INVALID_ARGUMENT;
    *places[what] = code;
    return 0;
}

/* -- settings that the engine here has no use for ------------------------------------------------------ */

static OnigCaseFoldType case_fold = ONIGENC_CASE_FOLD_MIN;
static unsigned int stack_limit, depth_limit = 4096;

int rbl_onig_initialize(OnigEncoding *encodings, int n) { return 0; }
int rbl_onig_init(void) { return 0; }
int rbl_onig_end(void) { return 0; }
void rbl_onig_null_warn(const char *text) {}
void rbl_onig_set_warn_func(OnigWarnFunc function) {}
void rbl_onig_set_verb_warn_func(OnigWarnFunc function) {}
OnigCaseFoldType rbl_onig_get_default_case_fold_flag(void) { return case_fold; }
unsigned int rbl_onig_get_match_stack_limit_size(void) { return stack_limit; }
unsigned int rbl_onig_get_parse_depth_limit(void) { return depth_limit; }

int rbl_onig_set_default_case_fold_flag(OnigCaseFoldType flag)
{
    case_fold = flag;
    return 0;
}

int rbl_onig_set_match_stack_limit_size(unsigned int size)
{
    stack_limit = size;
    return 0;
}

int rbl_onig_set_parse_depth_limit(unsigned int depth)
{
    depth_limit = depth ? depth : 4096;
    return 0;
}

/* The version whose interface this is. */
const char *rbl_onig_version(void) { return "6.2.2"; }
const char *rbl_onig_copyright(void) { return "The interface of Onigmo 6.2.2"; }

/* -- errors ---------------------------------------------------------------------------------------- */

static const struct {
    int code;
    const char *text;
} errors[] = {
    {ONIG_MISMATCH, "mismatch"},
    {ONIG_NO_SUPPORT_CONFIG, "no support in this configuration"},
    {ONIGERR_MEMORY, "failed to allocate memory"},
    {ONIGERR_PARSER_BUG, "internal parser error (bug)"},
    {-15, "match-stack limit over"},
    {-16, "parse depth limit over"},
    {ONIGERR_INVALID_ARGUMENT, "invalid argument"},
    {-100, "end pattern at left brace"},
    {-102, "empty char-class"},
    {-103, "premature end of char-class"},
    {-104, "end pattern at escape"},
    {-105, "end pattern at meta"},
    {-106, "end pattern at control"},
    {-108, "invalid meta-code syntax"},
    {-109, "invalid control-code syntax"},
    {-110, "char-class value at end of range"},
    {-112, "unmatched range specifier in char-class"},
    {-113, "target of repeat operator is not specified"},
    {-114, "target of repeat operator is invalid"},
    {-116, "unmatched close parenthesis"},
    {-117, "end pattern with unmatched parenthesis"},
    {-118, "end pattern in group"},
    {-119, "undefined group option"},
    {-121, "invalid POSIX bracket type"},
    {-122, "invalid pattern in look-behind"},
    {-123, "invalid repeat range {lower,upper}"},
    {-124, "invalid conditional pattern"},
    {-200, "too big number"},
    {-201, "too big number for repeat range"},
    {-202, "upper is smaller than lower in repeat range"},
    {-203, "empty range in char class"},
    {-205, "too many multibyte code ranges are specified"},
    {-206, "too short multibyte code string"},
    {-208, "invalid backref number/name"},
    {-209, "numbered backref/call is not allowed. (use name)"},
    {-210, "too many capture groups are specified"},
    {-211, "too short digits"},
    {-212, "too long wide-char value"},
    {-214, "group name is empty"},
    {-215, "invalid group name <%n>"},
    {-216, "invalid char in group name <%n>"},
    {-217, "undefined name <%n> reference"},
    {-218, "undefined group <%n> reference"},
    {-219, "multiplex defined name <%n>"},
    {-220, "multiplex definition name <%n> call"},
    {-221, "never ending recursion"},
    {-223, "invalid character property name {%n}"},
    {-224, "too many range repeat"},
    {-225, "too many null check"},
    {-400, "invalid code point value"},
    {-401, "too big wide-char value"},
    {-402, "not supported encoding combination"},
    {-403, "invalid combination of options"},
};

/* The number of what a RegexpError says: its text has a name in place of `%n`, and the pattern behind it. */
int rbl_onig_code_of(const char *message)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        const char *place = strstr(errors[i].text, "%n");
        size_t n = place ? (size_t)(place - errors[i].text) : strlen(errors[i].text);
        if (strncmp(message, errors[i].text, n) == 0) return errors[i].code;
    }
    return ONIGERR_PARSER_BUG;
}

/* Writes the text of an error, a name of its `OnigErrorInfo` in it, and gives its length;
 * the buffer has room for the longest. */
int rbl_onig_error_code_to_str(OnigUChar *buffer, OnigPosition code, ...)
{
    const char *text = "undefined error code";
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code) text = errors[i].text;
    const char *place = strstr(text, "%n");
    if (!place) {
        strcpy((char *)buffer, text);
        return (int)strlen(text);
    }
    va_list ap;
    va_start(ap, code);
    const OnigErrorInfo *info = va_arg(ap, const OnigErrorInfo *);
    va_end(ap);
    int name = info && info->par ? (int)(info->par_end - info->par) : 0;
    int room = ONIG_MAX_ERROR_MESSAGE_LEN - (int)strlen(text);
    if (name > room) name = room;
    return snprintf((char *)buffer, ONIG_MAX_ERROR_MESSAGE_LEN, "%.*s%.*s%s", (int)(place - text), text, name,
        name ? (const char *)info->par : "", place + 2);
}

/* Regular expressions for C code that runs the engine itself: what it takes for the engine's program is a Regexp and
 * the string it is about to match. */
#include "rbl.h"
#include <stddef.h>

/* The options of an Onigmo program that a Regexp has. */
#define RUBY_OPTIONS (ONIG_OPTION_IGNORECASE | ONIG_OPTION_EXTEND | ONIG_OPTION_MULTILINE)

int rbl_onig_code_of(const char *message);

OnigPosition rb_reg_onig_match(VALUE regexp, VALUE string,
    OnigPosition (*match)(regex_t *, VALUE, struct re_registers *, void *), void *args, struct re_registers *registers)
{
    OnigRegexType program = {regexp, string, 0, 0};
    OnigPosition found = match(&program, string, registers, args);
    ruby_xfree(program.numbers);
    RB_GC_GUARD(string);
    return found;
}

/* What a program is run on: the string that it knows, from `base` on, or else one of the same bytes. */
struct text {
    VALUE string;
    long base;
};

/* Without one of its own a Regexp of ASCII takes bytes for characters. */
static OnigEncoding encoding_of(const OnigRegexType *program)
{
    if (program->enc) return program->enc;
    OnigEncoding enc = rb_enc_get(program->regexp);
    return enc == rb_usascii_encoding() ? rb_ascii8bit_encoding() : enc;
}

static struct text text_of(OnigRegex program, const OnigUChar *begin, const OnigUChar *end)
{
    if (program->string) {
        const OnigUChar *start = (const OnigUChar *)RSTRING_PTR(program->string);
        const OnigUChar *stop = start + RSTRING_LEN(program->string);
        if (begin >= start && begin <= stop && end == stop) return (struct text){program->string, begin - start};
    }
    return (struct text){rb_enc_str_new((const char *)begin, end - begin, encoding_of(program)), 0};
}

/* The length of the match at a place, or the place of the first one from there;
 * both count from where the text begins. */
static OnigPosition part(OnigRegex program, struct text text, long at, int search, OnigRegion *region)
{
    long found;
    if (rbl_c_reg_part(program->regexp, text.string, text.base, at, search, region, &found)) rbl_jump();
    return found;
}

OnigPosition rbl_onig_match(OnigRegex program, const OnigUChar *begin, const OnigUChar *end, const OnigUChar *at,
    OnigRegion *region, OnigOptionType option)
{
    struct text text = text_of(program, begin, end);
    OnigPosition found = part(program, text, at - begin, 0, region);
    RB_GC_GUARD(text.string);
    return found;
}

/* From `at` on up to `range`, or from there down to it where that is less. */
OnigPosition rbl_onig_search(OnigRegex program, const OnigUChar *begin, const OnigUChar *end, const OnigUChar *at,
    const OnigUChar *range, OnigRegion *region, OnigOptionType option)
{
    struct text text = text_of(program, begin, end);
    OnigPosition found = ONIG_MISMATCH;
    if (range >= at) {
        found = part(program, text, at - begin, 1, region);
        bool beyond = found >= 0 && found >= range - begin && (range != end || found > end - begin);
        if (beyond && found != at - begin) found = ONIG_MISMATCH;
    } else {
        OnigEncoding enc = encoding_of(program);
        for (const OnigUChar *p = rbl_onigenc_get_left_adjust_char_head(enc, begin, at, end); p && p >= range;
             p = rbl_onigenc_get_prev_char_head(enc, begin, p, end))
            if (part(program, text, p - begin, 0, region) >= 0) {
                found = p - begin;
                break;
            }
    }
    if (found < 0 && region) rbl_onig_region_clear(region);
    RB_GC_GUARD(text.string);
    return found;
}

/* `\G` is where the search begins. */
OnigPosition rbl_onig_search_gpos(OnigRegex program, const OnigUChar *begin, const OnigUChar *end,
    const OnigUChar *global, const OnigUChar *at, const OnigUChar *range, OnigRegion *region, OnigOptionType option)
{
    if (global != at) return ONIG_NO_SUPPORT_CONFIG;
    return rbl_onig_search(program, begin, end, at, range, region, option);
}

/* Tells of each match until the function gives another number than 0, which is the result;
 * otherwise the count of matches is. */
OnigPosition rbl_onig_scan(OnigRegex program, const OnigUChar *begin, const OnigUChar *end, OnigRegion *region,
    OnigOptionType option, int (*function)(OnigPosition, OnigPosition, OnigRegion *, void *), void *arg)
{
    OnigPosition count = 0;
    for (const OnigUChar *at = begin; at <= end;) {
        OnigPosition found = rbl_onig_search(program, begin, end, at, end, region, option);
        if (found < 0) break;
        int stop = function(count++, found, region, arg);
        if (stop) return stop;
        const OnigUChar *behind = begin + region->end[0];
        at = behind > at ? behind : at + (at < end ? rbl_onigenc_mbclen(at, end, encoding_of(program)) : 1);
    }
    return count;
}

void rbl_onig_region_init(OnigRegion *region)
{
    memset(region, 0, sizeof *region);
}

OnigRegion *rbl_onig_region_new(void)
{
    OnigRegion *region = ruby_xmalloc(sizeof *region);
    rbl_onig_region_init(region);
    return region;
}

void rbl_onig_region_clear(OnigRegion *region)
{
    for (int i = 0; i < region->num_regs; i++) region->beg[i] = region->end[i] = ONIG_REGION_NOTPOS;
}

void rbl_onig_region_free(OnigRegion *region, int itself)
{
    if (!region) return;
    free(region->beg);
    free(region->end);
    rbl_onig_region_init(region);
    if (itself) free(region);
}

int rbl_onig_region_resize(OnigRegion *region, int n)
{
    if (region->allocated < n) {
        region->beg = realloc(region->beg, (size_t)n * sizeof *region->beg);
        region->end = realloc(region->end, (size_t)n * sizeof *region->end);
        if (!region->beg || !region->end) return ONIGERR_MEMORY;
        region->allocated = n;
    }
    region->num_regs = n;
    return 0;
}

int rbl_onig_region_set(OnigRegion *region, int at, int begin, int end)
{
    if (at < 0) return -30;
    if (at >= region->allocated || at >= region->num_regs) {
        int had = region->num_regs, error = rbl_onig_region_resize(region, at + 1);
        if (error) return error;
        for (int i = had; i < at; i++) region->beg[i] = region->end[i] = ONIG_REGION_NOTPOS;
    }
    region->beg[at] = begin;
    region->end[at] = end;
    return 0;
}

void rbl_onig_region_copy(OnigRegion *to, const OnigRegion *from)
{
    if (to == from || rbl_onig_region_resize(to, from->num_regs)) return;
    memcpy(to->beg, from->beg, (size_t)from->num_regs * sizeof *to->beg);
    memcpy(to->end, from->end, (size_t)from->num_regs * sizeof *to->end);
}

int rb_reg_region_copy(struct re_registers *to, const struct re_registers *from)
{
    int error = rbl_onig_region_resize(to, from->num_regs);
    if (!error) rbl_onig_region_copy(to, from);
    return error;
}

/* The numbers of a named group, the last first. */
static VALUE named_groups(const OnigRegexType *program)
{
    return OWN(program->regexp, "named_captures");
}

static VALUE group_numbers(OnigRegex program, const OnigUChar *name, const OnigUChar *end)
{
    VALUE groups = named_groups(program), regexp = program->regexp;
    return rb_hash_lookup(groups, rb_enc_str_new((const char *)name, end - name, rb_enc_get(regexp)));
}

int rbl_onig_name_to_backref_number(OnigRegex regexp, const OnigUChar *name, const OnigUChar *end,
    const OnigRegion *region)
{
    VALUE numbers = group_numbers(regexp, name, end);
    if (NIL_P(numbers)) return ONIGERR_UNDEFINED_NAME_REFERENCE;
    for (long i = RARRAY_LEN(numbers) - 1; region && i >= 0; i--) {
        int n = FIX2INT(RARRAY_AREF(numbers, i));
        if (n < region->num_regs && region->beg[n] != ONIG_REGION_NOTPOS) return n;
    }
    return FIX2INT(RARRAY_AREF(numbers, RARRAY_LEN(numbers) - 1));
}

int rbl_onig_number_of_names(const OnigRegexType *regexp)
{
    return (int)RHASH_SIZE(named_groups(regexp));
}

/* The numbers stay where they are until the next call for the same program. */
int rbl_onig_name_to_group_numbers(OnigRegex regexp, const OnigUChar *name, const OnigUChar *end, int **numbers)
{
    VALUE found = group_numbers(regexp, name, end);
    if (NIL_P(found)) return ONIGERR_UNDEFINED_NAME_REFERENCE;
    long n = RARRAY_LEN(found);
    regexp->numbers = ruby_xrealloc2(regexp->numbers, (size_t)n, sizeof *regexp->numbers);
    for (long i = 0; i < n; i++) regexp->numbers[i] = FIX2INT(RARRAY_AREF(found, i));
    *numbers = regexp->numbers;
    return (int)n;
}

/* Matching nothing in front of the pattern tells how many groups it has. */
int rbl_onig_number_of_captures(const OnigRegexType *regexp)
{
    VALUE source = rb_str_dup(rb_reg_source(regexp->regexp));
    rb_str_update(source, 0, 0, rb_enc_str_new("|(?:", 4, rb_enc_get(source)));
    rb_str_cat_cstr(source, rb_reg_options(regexp->regexp) & ONIG_OPTION_EXTEND ? "\n)" : ")");
    VALUE match = OWN(rb_reg_new_str(source, rb_reg_options(regexp->regexp)), "match", rb_str_new(0, 0));
    return NUM2INT(OWN(match, "size")) - 1;
}

int rbl_onig_number_of_capture_histories(const OnigRegexType *regexp)
{
    return 0;
}

int rbl_onig_capture_tree_traverse(OnigRegion *region, int at,
    int (*function)(int, OnigPosition, OnigPosition, int, int, void *), void *arg)
{
    return ONIG_NO_SUPPORT_CONFIG;
}

/* Groups without names count where none has one. */
int rbl_onig_noname_group_capture_is_active(const OnigRegexType *regexp)
{
    return rbl_onig_number_of_names(regexp) == 0;
}

int rbl_onig_check_linear_time(OnigRegex regexp)
{
    return RTEST(OWN(rb_cRegexp, "linear_time?", regexp->regexp));
}

OnigEncoding rbl_onig_get_encoding(const OnigRegexType *regexp)
{
    return regexp->enc ? regexp->enc : rb_enc_get(regexp->regexp);
}

OnigOptionType rbl_onig_get_options(const OnigRegexType *regexp)
{
    return ((OnigOptionType)rb_reg_options(regexp->regexp) & RUBY_OPTIONS) | rbl_OnigSyntaxRuby.options;
}

OnigCaseFoldType rbl_onig_get_case_fold_flag(const OnigRegexType *regexp)
{
    return rbl_onig_get_default_case_fold_flag();
}

const OnigSyntaxType *rbl_onig_get_syntax(const OnigRegexType *regexp)
{
    return &rbl_OnigSyntaxRuby;
}

int rbl_onig_foreach_name(OnigRegex regexp,
    int (*function)(const OnigUChar *, const OnigUChar *, int, int *, OnigRegex, void *), void *arg)
{
    VALUE groups = OWN(named_groups(regexp), "to_a");
    for (long i = 0; i < RARRAY_LEN(groups); i++) {
        VALUE name = rb_ary_entry(RARRAY_AREF(groups, i), 0), numbers = rb_ary_entry(RARRAY_AREF(groups, i), 1);
        int list[32], n = (int)RARRAY_LEN(numbers);
        if (n > 32) n = 32;
        for (int j = 0; j < n; j++) list[j] = FIX2INT(RARRAY_AREF(numbers, j));
        int stop = function((const OnigUChar *)RSTRING_PTR(name), (const OnigUChar *)RSTRING_END(name), n, list, regexp,
            arg);
        if (stop) return stop;
    }
    return 0;
}

/* -- programs of C code's own ------------------------------------------------------------------------ */

struct pattern {
    const OnigUChar *text, *end;
    OnigOptionType options;
    OnigEncoding enc;
};

static VALUE compile(VALUE words)
{
    const struct pattern *pattern = (const struct pattern *)words;
    return rb_enc_reg_new((const char *)pattern->text, pattern->end - pattern->text, pattern->enc,
        (int)(pattern->options & RUBY_OPTIONS));
}

int rbl_onig_reg_init(OnigRegex program, OnigOptionType options, OnigCaseFoldType fold, OnigEncoding enc,
    const OnigSyntaxType *syntax)
{
    OnigOptionType known = RUBY_OPTIONS | rbl_OnigSyntaxRuby.options;
    if (!program || !enc) return ONIGERR_INVALID_ARGUMENT;
    bool is_ruby = !syntax || syntax == &rbl_OnigSyntaxRuby || memcmp(syntax, &rbl_OnigSyntaxRuby, sizeof *syntax) == 0;
    if (!is_ruby || (options & ~known)) return ONIG_NO_SUPPORT_CONFIG;
    memset(program, 0, sizeof *program);
    return 0;
}

/* 0, or the number of what is wrong with the pattern. */
int rbl_onig_new_without_alloc(OnigRegex program, const OnigUChar *text, const OnigUChar *end, OnigOptionType options,
    OnigEncoding enc, const OnigSyntaxType *syntax, OnigErrorInfo *info)
{
    if (info) *info = (OnigErrorInfo){0};
    int wrong = rbl_onig_reg_init(program, options, 0, enc, syntax), state;
    if (wrong) return wrong;
    struct pattern pattern = {text, end, options, enc};
    VALUE regexp = rb_protect(compile, (VALUE)&pattern, &state);
    if (state) {
        VALUE error = rb_errinfo();
        if (!RTEST(rb_obj_is_kind_of(error, rb_eRegexpError))) rb_jump_tag(state);
        rb_set_errinfo(Qnil);
        if (info) *info = (OnigErrorInfo){enc, (OnigUChar *)text, (OnigUChar *)end};
        VALUE message = rb_obj_as_string(error);
        return rbl_onig_code_of(StringValueCStr(message));
    }
    program->regexp = regexp;
    program->enc = enc;
    rb_gc_register_address(&program->regexp);
    return 0;
}

int rbl_onig_new(OnigRegex *place, const OnigUChar *text, const OnigUChar *end, OnigOptionType options,
    OnigEncoding enc, const OnigSyntaxType *syntax, OnigErrorInfo *info)
{
    OnigRegex program = ruby_xcalloc(1, sizeof *program);
    int wrong = rbl_onig_new_without_alloc(program, text, end, options, enc, syntax, info);
    if (wrong) {
        ruby_xfree(program);
        program = 0;
    }
    *place = program;
    return wrong;
}

int rbl_onig_new_deluxe(OnigRegex *place, const OnigUChar *text, const OnigUChar *end, OnigCompileInfo *how,
    OnigErrorInfo *info)
{
    *place = 0;
    if (how->pattern_enc != how->target_enc) return ONIGERR_NOT_SUPPORTED_ENCODING_COMBINATION;
    return rbl_onig_new(place, text, end, how->option, how->target_enc, how->syntax, info);
}

int rbl_onig_reg_copy(OnigRegex *place, OnigRegex from)
{
    OnigRegex program = ruby_xcalloc(1, sizeof *program);
    program->regexp = from->regexp;
    program->enc = from->enc;
    rb_gc_register_address(&program->regexp);
    *place = program;
    return 0;
}

void rbl_onig_free_body(OnigRegex program)
{
    if (!program) return;
    if (program->regexp) rb_gc_unregister_address(&program->regexp);
    ruby_xfree(program->numbers);
    memset(program, 0, sizeof *program);
}

void rbl_onig_free(OnigRegex program)
{
    rbl_onig_free_body(program);
    ruby_xfree(program);
}

/* -- what belongs to a Regexp or a match ---------------------------------------------------------------- */

/* Lives as long as the object, in a hidden variable, which frozen objects have, too. */
static void *kept(VALUE object, const char *name, size_t size, const rb_data_type_t *type)
{
    ID id = (rb_intern)(name);
    VALUE holder = rb_attr_get(object, id);
    if (NIL_P(holder)) {
        holder = rb_data_typed_object_zalloc(0, size, type);
        if (rbl_c_ivar_keep(object, id, holder, 0)) rbl_jump();
    }
    return RTYPEDDATA_DATA(holder);
}

static void free_registers(void *p)
{
    struct re_registers *registers = p;
    free(registers->beg);
    free(registers->end);
    free(registers);
}

static void free_program(void *p)
{
    ruby_xfree(((OnigRegex)p)->numbers);
    ruby_xfree(p);
}

static const rb_data_type_t registers_type = {
    "re_registers", {0, free_registers, 0, 0, {0}}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};
static const rb_data_type_t program_type = {"regex_t", {0, free_program, 0, 0, {0}}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};

struct re_registers *rb_match_regs(VALUE match)
{
    struct re_registers *registers = kept(match, "__rb_regs", sizeof *registers, &registers_type);
    if (rbl_c_match_groups(match, registers, 0)) rbl_jump();
    return registers;
}

struct re_pattern_buffer *rb_reg_pattern(VALUE regexp)
{
    OnigRegex program = kept(regexp, "__rb_program", sizeof *program, &program_type);
    program->regexp = regexp;
    return program;
}

regex_t *rb_reg_prepare_re(VALUE regexp, VALUE string)
{
    OnigEncoding enc = rb_enc_check(regexp, string);
    OnigRegex program = rb_reg_pattern(regexp);
    program->enc = enc;
    return program;
}

/* The character of the string at `pos`: where the one behind begins in a search forwards,
 * where that one does in a search backwards. */
long rb_reg_adjust_startpos(VALUE regexp, VALUE string, long pos, int backwards)
{
    rb_encoding *enc = rb_enc_check(regexp, string);
    if (pos <= 0 || pos >= RSTRING_LEN(string) || rb_enc_mbmaxlen(enc) == 1) return pos;
    const OnigUChar *begin = (const OnigUChar *)RSTRING_PTR(string), *end = begin + RSTRING_LEN(string);
    const OnigUChar *at = begin + pos;
    at = backwards ? rbl_onigenc_get_left_adjust_char_head(enc, begin, at, end)
        : rbl_onigenc_get_right_adjust_char_head(enc, begin, at, end);
    return at - begin;
}

/* -- templates of sub ------------------------------------------------------------------------------------- */

/* What a sign of a template stands for, besides the numbers of groups. */
enum { IN_FRONT = -1, BEHIND = -2, BACKSLASH = -3, NO_SIGN = -4, NOTHING = -5 };

/* The number of the group that a template names behind `\k`; `end` is put behind the name. */
static int named_in_template(VALUE regexp, struct re_registers *registers, const char *p, const char *e,
    rb_encoding *enc, const char **end)
{
    if (p >= e || *p != '<') return NO_SIGN;
    const char *close = memchr(p, '>', (size_t)(e - p));
    if (!close) rb_raise(rb_eRuntimeError, "invalid group name reference format");
    *end = close + 1;
    VALUE name = rb_enc_str_new(p + 1, close - p - 1, enc);
    OnigRegexType program = {regexp, 0, 0, 0};
    int found = NIL_P(regexp) ? -1
        : rbl_onig_name_to_backref_number(&program, (const OnigUChar *)p + 1, (const OnigUChar *)close, registers);
    if (found < 1) rb_raise(rb_eIndexError, "undefined group name reference: %"PRIsVALUE, name);
    return found;
}

static int meaning(VALUE regexp, struct re_registers *registers, char letter, const char *p, const char *e,
    rb_encoding *enc, const char **end)
{
    OnigRegexType program = {regexp, 0, 0, 0};
    int last = registers->num_regs - 1;
    switch (letter) {
      case '0':
      case '&': return 0;
      case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        return !NIL_P(regexp) && rbl_onig_noname_group_capture_is_active(&program) ? letter - '0' : NOTHING;
      case 'k': return named_in_template(regexp, registers, p, e, enc, end);
      case '`': return IN_FRONT;
      case '\'': return BEHIND;
      case '+':
        while (last > 0 && registers->beg[last] == ONIG_REGION_NOTPOS) last--;
        return last > 0 ? last : NOTHING;
      case '\\': return BACKSLASH;
      default: return NO_SIGN;
    }
}

/* The template with groups, what is in front of the match and what is behind in place of their signs; itself,
 * if it has none. */
VALUE rb_reg_regsub(VALUE template, VALUE source, struct re_registers *registers, VALUE regexp)
{
    rb_encoding *enc = rb_enc_get(template), *from = rb_enc_get(source);
    const char *p = RSTRING_PTR(template), *e = RSTRING_END(template), *written = p;
    VALUE out = 0;
    while (p < e) {
        const char *sign = p;
        p += rb_enc_mbclen(p, e, enc);
        if (*sign != '\\' || p - sign != 1 || p >= e) continue;
        const char *letter = p;
        p += rb_enc_mbclen(p, e, enc);
        int what = p - letter == 1 ? meaning(regexp, registers, *letter, p, e, enc, &p) : NO_SIGN;
        if (what == NO_SIGN) continue;
        if (!out) out = rb_enc_str_new(0, 0, enc);
        rb_enc_str_buf_cat(out, written, sign - written, enc);
        written = p;
        const char *text = RSTRING_PTR(source);
        bool is_group = what >= 0 && what < registers->num_regs && registers->beg[what] != ONIG_REGION_NOTPOS;
        if (is_group)
            rb_enc_str_buf_cat(out, text + registers->beg[what], registers->end[what] - registers->beg[what], from);
        else if (what == IN_FRONT) rb_enc_str_buf_cat(out, text, registers->beg[0], from);
        else if (what == BEHIND)
            rb_enc_str_buf_cat(out, text + registers->end[0], RSTRING_LEN(source) - registers->end[0], from);
        else if (what == BACKSLASH) rb_enc_str_buf_cat(out, letter, 1, enc);
    }
    if (!out) return template;
    rb_enc_str_buf_cat(out, written, e - written, enc);
    RB_GC_GUARD(template);
    return out;
}

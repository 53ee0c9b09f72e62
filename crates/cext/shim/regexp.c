/* Regular expressions for C code that runs the engine itself. What it takes for the engine's program tells the Regexp and the string. */
#include "rbl.h"
#include <stddef.h>

struct program {
    OnigRegexType base;
    VALUE string;
};

OnigPosition rb_reg_onig_match(VALUE regexp, VALUE string, OnigPosition (*match)(regex_t *, VALUE, struct re_registers *, void *), void *args, struct re_registers *registers)
{
    struct program program = {{regexp}, string};
    OnigPosition found = match(&program.base, string, registers, args);
    RB_GC_GUARD(program.string);
    return found;
}

static OnigPosition part(OnigRegex regexp, const OnigUChar *begin, const OnigUChar *at, int search, OnigRegion *region)
{
    struct program *program = (struct program *)regexp;
    const OnigUChar *start = (const OnigUChar *)RSTRING_PTR(program->string);
    long found;
    if (rbl_c_reg_part(program->base.regexp, program->string, begin - start, at - begin, search, region, &found)) rbl_jump();
    return found;
}

OnigPosition rbl_onig_match(OnigRegex regexp, const OnigUChar *begin, const OnigUChar *end, const OnigUChar *at, OnigRegion *region, OnigOptionType option)
{
    return part(regexp, begin, at, 0, region);
}

OnigPosition rbl_onig_search(OnigRegex regexp, const OnigUChar *begin, const OnigUChar *end, const OnigUChar *at, const OnigUChar *range, OnigRegion *region, OnigOptionType option)
{
    return part(regexp, begin, at, 1, region);
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
static VALUE group_numbers(VALUE regexp, const OnigUChar *name, const OnigUChar *end)
{
    VALUE groups = rb_funcall(regexp, (rb_intern)("named_captures"), 0);
    return rb_hash_lookup(groups, rb_enc_str_new((const char *)name, end - name, rb_enc_get(regexp)));
}

int rbl_onig_name_to_backref_number(OnigRegex regexp, const OnigUChar *name, const OnigUChar *end, const OnigRegion *region)
{
    VALUE numbers = group_numbers(regexp->regexp, name, end);
    if (NIL_P(numbers)) return -217;
    for (long i = RARRAY_LEN(numbers) - 1; region && i >= 0; i--) {
        int n = FIX2INT(RARRAY_AREF(numbers, i));
        if (n < region->num_regs && region->beg[n] != ONIG_REGION_NOTPOS) return n;
    }
    return FIX2INT(RARRAY_AREF(numbers, RARRAY_LEN(numbers) - 1));
}

int rbl_onig_number_of_names(const OnigRegexType *regexp)
{
    return (int)RHASH_SIZE(rb_funcall(regexp->regexp, (rb_intern)("named_captures"), 0));
}

int rbl_onig_foreach_name(OnigRegex regexp, int (*function)(const OnigUChar *, const OnigUChar *, int, int *, OnigRegex, void *), void *arg)
{
    VALUE groups = rb_funcall(rb_funcall(regexp->regexp, (rb_intern)("named_captures"), 0), (rb_intern)("to_a"), 0);
    for (long i = 0; i < RARRAY_LEN(groups); i++) {
        VALUE name = rb_ary_entry(RARRAY_AREF(groups, i), 0), numbers = rb_ary_entry(RARRAY_AREF(groups, i), 1);
        int list[32], n = (int)RARRAY_LEN(numbers);
        if (n > 32) n = 32;
        for (int j = 0; j < n; j++) list[j] = FIX2INT(RARRAY_AREF(numbers, j));
        int stop = function((const OnigUChar *)RSTRING_PTR(name), (const OnigUChar *)RSTRING_END(name), n, list, regexp, arg);
        if (stop) return stop;
    }
    return 0;
}

/* Both live as long as their object, in a hidden instance variable. */
static void *kept(VALUE object, const char *name, size_t size, const rb_data_type_t *type)
{
    ID id = (rb_intern)(name);
    VALUE holder = rb_attr_get(object, id);
    if (NIL_P(holder)) {
        holder = rb_data_typed_object_zalloc(0, size, type);
        if (RB_OBJ_FROZEN(object)) rb_gc_register_mark_object(holder);
        else rb_ivar_set(object, id, holder);
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

static const rb_data_type_t registers_type = {"re_registers", {0, free_registers, 0, 0, {0}}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};
static const rb_data_type_t program_type = {"regex_t", {0, RUBY_DEFAULT_FREE, 0, 0, {0}}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};

struct re_registers *rb_match_regs(VALUE match)
{
    struct re_registers *registers = kept(match, "__rb_regs", sizeof *registers, &registers_type);
    if (rbl_c_match_groups(match, registers, 0)) rbl_jump();
    return registers;
}

struct re_pattern_buffer *rb_reg_pattern(VALUE regexp)
{
    struct program *program = kept(regexp, "__rb_program", sizeof *program, &program_type);
    program->base.regexp = regexp;
    return &program->base;
}

#ifndef RUBELLITE_RUBY_RE_H
#define RUBELLITE_RUBY_RE_H
/* Regular expressions and matches. */
#include "ruby/ruby.h"
#include "ruby/encoding.h"
#include "ruby/regex.h"

struct rmatch {
    struct re_registers regs;
};
struct RMatch {
    struct RBasic basic;
};
/* CRuby's matches have this behind them, these nothing: it is here for binding generators that ask for the size of
 * it. */
struct rb_matchext_struct {
    char nothing[0];
};
#define RMATCH(obj) ((struct RMatch *)(obj))
#define RMATCH_REGS(obj) rb_match_regs(obj)

RBL_BEGIN_DECLS

/* re */
OnigPosition rb_reg_onig_match(VALUE, VALUE, OnigPosition (*)(regex_t *, VALUE, struct re_registers *, void *), void *,
    struct re_registers *);
VALUE rb_reg_regcomp(VALUE);
int rb_reg_region_copy(struct re_registers *, const struct re_registers *);
long rb_reg_search(VALUE, VALUE, long, int);
VALUE rb_reg_regsub(VALUE, VALUE, struct re_registers *, VALUE);
long rb_reg_adjust_startpos(VALUE, VALUE, long, int);
regex_t *rb_reg_prepare_re(VALUE, VALUE);
long rb_memsearch(const void *, long, const void *, long, rb_encoding *);
bool rb_reg_start_with_p(VALUE, VALUE);
struct re_registers *rb_match_regs(VALUE);
RBL_END_DECLS
#endif

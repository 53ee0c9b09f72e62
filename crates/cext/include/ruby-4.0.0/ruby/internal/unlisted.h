#ifndef RUBELLITE_RUBY_INTERNAL_UNLISTED_H
#define RUBELLITE_RUBY_INTERNAL_UNLISTED_H
/* Functions that CRuby exports and its headers do not declare: extensions declare them themselves, some in a way of
 * their own. The other headers do not include this one. */
#include "ruby/ruby.h"

RBL_BEGIN_DECLS
/* Compiled code: `rb_iseqw_new` takes what `rb_objspace_each_objects` shows as T_IMEMO. */
struct rb_iseq_struct;
VALUE rb_iseqw_new(VALUE);
const struct rb_iseq_struct *rb_iseqw_to_iseq(VALUE);
VALUE rb_iseq_realpath(const struct rb_iseq_struct *);
VALUE rb_iseq_type(const struct rb_iseq_struct *);
VALUE rb_iseq_parameters(const struct rb_iseq_struct *, int);
void rb_iseq_code_location(const struct rb_iseq_struct *, int *, int *, int *, int *);
extern VALUE rb_cArithSeq;
int rb_objspace_internal_object_p(VALUE);
size_t rb_obj_memsize_of(VALUE);
int rb_bug_reporter_add(void (*)(FILE *, void *), void *);
void rb_objspace_each_objects(int (*)(void *, void *, size_t, void *), void *);
RBL_END_DECLS
#endif

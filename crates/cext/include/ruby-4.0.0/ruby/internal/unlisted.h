#ifndef RUBELLITE_RUBY_INTERNAL_UNLISTED_H
#define RUBELLITE_RUBY_INTERNAL_UNLISTED_H
/* Functions that CRuby exports and its headers do not declare: extensions declare them themselves, some in a way of their own. The other headers
 * do not include this one. */
#include "ruby/ruby.h"

RBL_BEGIN_DECLS
void rb_deprecate_constant(VALUE, const char *);
extern VALUE rb_cArithSeq;
int rb_objspace_internal_object_p(VALUE);
size_t rb_obj_memsize_of(VALUE);
void rb_objspace_each_objects(int (*)(void *, void *, size_t, void *), void *);
RBL_END_DECLS
#endif

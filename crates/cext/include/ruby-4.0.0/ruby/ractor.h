#ifndef RUBELLITE_RUBY_RACTOR_H
#define RUBELLITE_RUBY_RACTOR_H
/* What a ractor has for itself. */
#include "ruby/ruby.h"

struct rb_ractor_local_storage_type {
    void (*mark)(void *ptr);
    void (*free)(void *ptr);
};
typedef struct rb_ractor_local_key_struct *rb_ractor_local_key_t;
#define RB_OBJ_SHAREABLE_P_ RB_OBJ_SHAREABLE_P
#define rb_ractor_shareable_p(obj) \
    (RB_SPECIAL_CONST_P(obj) || RB_OBJ_SHAREABLE_P(obj) || rb_ractor_shareable_p_continue(obj))

RBL_BEGIN_DECLS
extern VALUE rb_cRactor;
extern const struct rb_ractor_local_storage_type rb_ractor_local_storage_type_free;

/* ractor */
VALUE rb_ractor_local_storage_value(rb_ractor_local_key_t);
VALUE rb_ractor_make_shareable(VALUE);
VALUE rb_ractor_stderr(void);
VALUE rb_ractor_stdout(void);
bool rb_ractor_local_storage_value_lookup(rb_ractor_local_key_t, VALUE *);
rb_ractor_local_key_t rb_ractor_local_storage_ptr_newkey(const struct rb_ractor_local_storage_type *);
rb_ractor_local_key_t rb_ractor_local_storage_value_newkey(void);
void *rb_ractor_local_storage_ptr(rb_ractor_local_key_t);
void rb_ractor_local_storage_ptr_set(rb_ractor_local_key_t, void *);
void rb_ractor_local_storage_value_set(rb_ractor_local_key_t, VALUE);
VALUE rb_ractor_stdin(void);
void rb_ractor_stdin_set(VALUE);
void rb_ractor_stdout_set(VALUE);
void rb_ractor_stderr_set(VALUE);
bool rb_ractor_shareable_p_continue(VALUE);
VALUE rb_obj_set_shareable(VALUE);
VALUE rb_ractor_make_shareable_copy(VALUE);
RBL_END_DECLS
#define RB_OBJ_SET_SHAREABLE(obj) rb_obj_set_shareable(obj)
static inline VALUE RB_OBJ_SET_FROZEN_SHAREABLE(VALUE obj)
{
    return rb_obj_set_shareable(rb_obj_freeze(obj));
}
#endif

#ifndef RUBELLITE_RUBY_THREAD_H
#define RUBELLITE_RUBY_THREAD_H
/* Leaving the lock and coming back to it. */
#include "ruby/ruby.h"

#define RB_NOGVL_INTR_FAIL 0x1
#define RB_NOGVL_UBF_ASYNC_SAFE 0x2
#define RB_NOGVL_OFFLOAD_SAFE 0x4
/* With `RB_NOGVL_INTR_FAIL`: an interrupt that a mask holds back counts, too. */
#define RB_NOGVL_PENDING_INTR_FAIL 0x8

#define RUBY_INTERNAL_THREAD_EVENT_STARTED 1
#define RUBY_INTERNAL_THREAD_EVENT_READY 2
#define RUBY_INTERNAL_THREAD_EVENT_RESUMED 4
#define RUBY_INTERNAL_THREAD_EVENT_SUSPENDED 8
#define RUBY_INTERNAL_THREAD_EVENT_EXITED 16
#define RUBY_INTERNAL_THREAD_EVENT_MASK 0xff

#include <stdbool.h>

typedef struct rb_internal_thread_event_data {
    VALUE thread;
} rb_internal_thread_event_data_t;
typedef void (*rb_internal_thread_event_callback)(rb_event_flag_t event,
    const rb_internal_thread_event_data_t *event_data, void *user_data);
typedef struct rb_internal_thread_event_hook rb_internal_thread_event_hook_t;
typedef int rb_internal_thread_specific_key_t;
#define RB_INTERNAL_THREAD_SPECIFIC_KEY_MAX 8

RBL_BEGIN_DECLS
bool rb_thread_lock_native_thread(void);

/* thread */
bool rb_internal_thread_remove_event_hook(rb_internal_thread_event_hook_t *);
rb_internal_thread_event_hook_t *rb_internal_thread_add_event_hook(rb_internal_thread_event_callback, rb_event_flag_t,
    void *);
rb_internal_thread_specific_key_t rb_internal_thread_specific_key_create(void);
void *rb_internal_thread_specific_get(VALUE, rb_internal_thread_specific_key_t);
void *rb_nogvl(void *(*)(void *), void *, rb_unblock_function_t *, void *, int);
void *rb_thread_call_with_gvl(void *(*)(void *), void *);
void *rb_thread_call_without_gvl(void *(*)(void *), void *, rb_unblock_function_t *, void *);
void *rb_thread_call_without_gvl2(void *(*)(void *), void *, rb_unblock_function_t *, void *);
void rb_internal_thread_specific_set(VALUE, rb_internal_thread_specific_key_t, void *);
int ruby_thread_has_gvl_p(void);
VALUE rb_thread_blocking_region(rb_blocking_function_t *, void *, rb_unblock_function_t *, void *);
RBL_END_DECLS
#endif

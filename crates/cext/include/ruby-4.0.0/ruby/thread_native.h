#ifndef RUBELLITE_RUBY_THREAD_NATIVE_H
#define RUBELLITE_RUBY_THREAD_NATIVE_H
/* Native threads, mutexes and condition variables. */
#include <pthread.h>
#include "ruby/defines.h"

typedef pthread_t rb_nativethread_id_t;
typedef pthread_mutex_t rb_nativethread_lock_t;
typedef pthread_cond_t rb_nativethread_cond_t;

RBL_BEGIN_DECLS

/* thread native */
rb_nativethread_id_t rb_nativethread_self(void);
void rb_native_cond_destroy(rb_nativethread_cond_t *);
void rb_native_cond_initialize(rb_nativethread_cond_t *);
void rb_native_cond_signal(rb_nativethread_cond_t *);
void rb_native_cond_wait(rb_nativethread_cond_t *, rb_nativethread_lock_t *);
void rb_nativethread_lock_destroy(rb_nativethread_lock_t *);
void rb_nativethread_lock_initialize(rb_nativethread_lock_t *);
void rb_nativethread_lock_lock(rb_nativethread_lock_t *);
void rb_nativethread_lock_unlock(rb_nativethread_lock_t *);
void rb_native_mutex_initialize(rb_nativethread_lock_t *);
void rb_native_mutex_lock(rb_nativethread_lock_t *);
int rb_native_mutex_trylock(rb_nativethread_lock_t *);
void rb_native_mutex_unlock(rb_nativethread_lock_t *);
void rb_native_mutex_destroy(rb_nativethread_lock_t *);
void rb_native_cond_broadcast(rb_nativethread_cond_t *);
void rb_native_cond_timedwait(rb_nativethread_cond_t *, rb_nativethread_lock_t *, unsigned long);
RBL_END_DECLS
#endif

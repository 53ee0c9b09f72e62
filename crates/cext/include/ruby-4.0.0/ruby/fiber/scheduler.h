#ifndef RUBELLITE_RUBY_FIBER_SCHEDULER_H
#define RUBELLITE_RUBY_FIBER_SCHEDULER_H
/* What C code asks of the scheduler of fibers. */
#include <errno.h>
#include "ruby/ruby.h"

typedef struct rb_fiber_scheduler_blocking_operation rb_fiber_scheduler_blocking_operation_t;
#define RUBY_FIBER_SCHEDULER_VERSION 3

RBL_BEGIN_DECLS

/* scheduler */
VALUE rb_fiber_scheduler_address_resolve(VALUE, VALUE);
VALUE rb_fiber_scheduler_block(VALUE, VALUE, VALUE);
VALUE rb_fiber_scheduler_current(void);
VALUE rb_fiber_scheduler_io_select(VALUE, VALUE, VALUE, VALUE, VALUE);
VALUE rb_fiber_scheduler_io_wait(VALUE, VALUE, VALUE, VALUE);
VALUE rb_fiber_scheduler_kernel_sleep(VALUE, VALUE);
VALUE rb_fiber_scheduler_unblock(VALUE, VALUE, VALUE);
VALUE rb_fiber_scheduler_get(void);
VALUE rb_fiber_scheduler_set(VALUE);
VALUE rb_fiber_scheduler_current_for_thread(VALUE);
VALUE rb_fiber_scheduler_make_timeout(struct timeval *);
VALUE rb_fiber_scheduler_close(VALUE);
VALUE rb_fiber_scheduler_io_wait_readable(VALUE, VALUE);
VALUE rb_fiber_scheduler_io_wait_writable(VALUE, VALUE);
VALUE rb_fiber_scheduler_io_read(VALUE, VALUE, VALUE, size_t, size_t);
VALUE rb_fiber_scheduler_io_write(VALUE, VALUE, VALUE, size_t, size_t);
VALUE rb_fiber_scheduler_io_close(VALUE, VALUE);
VALUE rb_fiber_scheduler_kernel_sleepv(VALUE, int, VALUE *);
VALUE rb_fiber_scheduler_yield(VALUE);
VALUE rb_fiber_scheduler_fiber_interrupt(VALUE, VALUE, VALUE);
VALUE rb_fiber_scheduler_io_selectv(VALUE, int, VALUE *);
VALUE rb_fiber_scheduler_io_pread(VALUE, VALUE, off_t, VALUE, size_t, size_t);
VALUE rb_fiber_scheduler_io_pwrite(VALUE, VALUE, off_t, VALUE, size_t, size_t);
VALUE rb_fiber_scheduler_io_read_memory(VALUE, VALUE, void *, size_t, size_t);
VALUE rb_fiber_scheduler_io_write_memory(VALUE, VALUE, const void *, size_t, size_t);
VALUE rb_fiber_scheduler_io_pread_memory(VALUE, VALUE, off_t, void *, size_t, size_t);
VALUE rb_fiber_scheduler_io_pwrite_memory(VALUE, VALUE, off_t, const void *, size_t, size_t);
VALUE rb_fiber_scheduler_process_wait(VALUE, pid_t, int);
VALUE rb_fiber_scheduler_fiber(VALUE, int, VALUE *, int);
rb_fiber_scheduler_blocking_operation_t *rb_fiber_scheduler_blocking_operation_extract(VALUE);
int rb_fiber_scheduler_blocking_operation_execute(rb_fiber_scheduler_blocking_operation_t *);
int rb_fiber_scheduler_blocking_operation_cancel(rb_fiber_scheduler_blocking_operation_t *);
RBL_END_DECLS

static inline VALUE rb_fiber_scheduler_io_result(ssize_t result, int error)
{
    return result == -1 ? RB_INT2NUM(-error) : RB_SSIZE2NUM(result);
}
static inline ssize_t rb_fiber_scheduler_io_result_apply(VALUE result)
{
    if (RB_FIXNUM_P(result) && RB_NUM2INT(result) < 0) {
        errno = -RB_NUM2INT(result);
        return -1;
    }
    return RB_NUM2SIZE(result);
}
#endif

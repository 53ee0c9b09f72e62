/* What C code asks of a scheduler of fibers. */
#include "rbl.h"

VALUE rb_fiber_scheduler_current(void)
{
    return OWN(rb_path2class("Fiber"), "current_scheduler");
}

VALUE rb_fiber_scheduler_get(void)
{
    return OWN(rb_path2class("Fiber"), "scheduler");
}

VALUE rb_fiber_scheduler_set(VALUE scheduler)
{
    return OWN(rb_path2class("Fiber"), "set_scheduler", scheduler);
}

VALUE rb_fiber_scheduler_make_timeout(struct timeval *timeout)
{
    return timeout ? rb_float_new((double)timeout->tv_sec + 0.000001 * (double)timeout->tv_usec) : Qnil;
}

VALUE rb_fiber_scheduler_kernel_sleep(VALUE scheduler, VALUE duration)
{
    return SEND(scheduler, "kernel_sleep", duration);
}

VALUE rb_fiber_scheduler_block(VALUE scheduler, VALUE blocker, VALUE timeout)
{
    return SEND(scheduler, "block", blocker, timeout);
}

VALUE rb_fiber_scheduler_unblock(VALUE scheduler, VALUE blocker, VALUE fiber)
{
    return SEND(scheduler, "unblock", blocker, fiber);
}

VALUE rb_fiber_scheduler_io_wait(VALUE scheduler, VALUE io, VALUE events, VALUE timeout)
{
    return SEND(scheduler, "io_wait", io, events, timeout);
}

VALUE rb_fiber_scheduler_io_select(VALUE scheduler, VALUE readers, VALUE writers, VALUE others, VALUE timeout)
{
    return SEND(scheduler, "io_select", readers, writers, others, timeout);
}

VALUE rb_fiber_scheduler_address_resolve(VALUE scheduler, VALUE name)
{
    VALUE result = rb_check_funcall(scheduler, (rb_intern)("address_resolve"), 1, &name);
    return result;
}


VALUE rb_fiber_scheduler_current_for_thread(VALUE thread)
{
    return thread == rb_thread_current() ? rb_fiber_scheduler_current() : Qnil;
}

VALUE rb_fiber_scheduler_kernel_sleepv(VALUE scheduler, int argc, VALUE *argv)
{
    return rb_funcallv(scheduler, (rb_intern)("kernel_sleep"), argc, argv);
}

/* Calls a method that schedulers need not have; undefined, if this one has it not. */
#define OPTIONAL(scheduler, name, ...) \
    __extension__ ({ \
        VALUE words[] = {__VA_ARGS__}; \
        rb_check_funcall((scheduler), (rb_intern)(name), (int)(sizeof words / sizeof *words), words); \
    })

VALUE rb_fiber_scheduler_yield(VALUE scheduler)
{
    VALUE result = rb_check_funcall(scheduler, (rb_intern)("yield"), 0, 0);
    return result == Qundef ? rb_fiber_scheduler_kernel_sleep(scheduler, INT2FIX(0)) : result;
}

VALUE rb_fiber_scheduler_close(VALUE scheduler)
{
    VALUE result = rb_check_funcall(scheduler, (rb_intern)("scheduler_close"), 0, 0);
    if (result == Qundef) result = rb_check_funcall(scheduler, (rb_intern)("close"), 0, 0);
    return result == Qundef ? Qnil : result;
}

VALUE rb_fiber_scheduler_fiber(VALUE scheduler, int argc, VALUE *argv, int keywords)
{
    return rb_funcall_passing_block_kw(scheduler, (rb_intern)("fiber"), argc, argv, keywords);
}

VALUE rb_fiber_scheduler_fiber_interrupt(VALUE scheduler, VALUE fiber, VALUE exception)
{
    return OPTIONAL(scheduler, "fiber_interrupt", fiber, exception);
}

VALUE rb_fiber_scheduler_process_wait(VALUE scheduler, pid_t process, int flags)
{
    return OPTIONAL(scheduler, "process_wait", PIDT2NUM(process), INT2NUM(flags));
}

VALUE rb_fiber_scheduler_io_close(VALUE scheduler, VALUE io)
{
    return OPTIONAL(scheduler, "io_close", io);
}

VALUE rb_fiber_scheduler_io_wait_readable(VALUE scheduler, VALUE io)
{
    return rb_fiber_scheduler_io_wait(scheduler, io, INT2FIX(RUBY_IO_READABLE), rb_io_timeout(io));
}

VALUE rb_fiber_scheduler_io_wait_writable(VALUE scheduler, VALUE io)
{
    return rb_fiber_scheduler_io_wait(scheduler, io, INT2FIX(RUBY_IO_WRITABLE), rb_io_timeout(io));
}

VALUE rb_fiber_scheduler_io_selectv(VALUE scheduler, int argc, VALUE *argv)
{
    return rb_check_funcall(scheduler, (rb_intern)("io_select"), argc, argv);
}

VALUE rb_fiber_scheduler_io_read(VALUE scheduler, VALUE io, VALUE buffer, size_t length, size_t offset)
{
    return OPTIONAL(scheduler, "io_read", io, buffer, SIZET2NUM(length), SIZET2NUM(offset));
}

VALUE rb_fiber_scheduler_io_write(VALUE scheduler, VALUE io, VALUE buffer, size_t length, size_t offset)
{
    return OPTIONAL(scheduler, "io_write", io, buffer, SIZET2NUM(length), SIZET2NUM(offset));
}

VALUE rb_fiber_scheduler_io_pread(VALUE scheduler, VALUE io, off_t from, VALUE buffer, size_t length, size_t offset)
{
    return OPTIONAL(scheduler, "io_pread", io, buffer, OFFT2NUM(from), SIZET2NUM(length), SIZET2NUM(offset));
}

VALUE rb_fiber_scheduler_io_pwrite(VALUE scheduler, VALUE io, off_t from, VALUE buffer, size_t length, size_t offset)
{
    return OPTIONAL(scheduler, "io_pwrite", io, buffer, OFFT2NUM(from), SIZET2NUM(length), SIZET2NUM(offset));
}

/* -- on memory of the caller's, by a buffer that is gone when the operation ends --------------------------- */

struct operation {
    VALUE scheduler, io, buffer;
    off_t from;
    size_t length;
    VALUE (*plain)(VALUE, VALUE, VALUE, size_t, size_t);
    VALUE (*positioned)(VALUE, VALUE, off_t, VALUE, size_t, size_t);
};

static VALUE operate(VALUE words)
{
    const struct operation *o = (const struct operation *)words;
    if (o->plain) return o->plain(o->scheduler, o->io, o->buffer, o->length, 0);
    return o->positioned(o->scheduler, o->io, o->from, o->buffer, o->length, 0);
}

static VALUE on_memory(struct operation o, const void *base, size_t size, int flags)
{
    o.buffer = rb_io_buffer_new((void *)base, size, (enum rb_io_buffer_flags)flags);
    return rb_ensure(operate, (VALUE)&o, rb_io_buffer_free_locked, o.buffer);
}

VALUE rb_fiber_scheduler_io_read_memory(VALUE scheduler, VALUE io, void *base, size_t size, size_t length)
{
    struct operation o = {scheduler, io, 0, 0, length, rb_fiber_scheduler_io_read, 0};
    return on_memory(o, base, size, RB_IO_BUFFER_LOCKED);
}

VALUE rb_fiber_scheduler_io_write_memory(VALUE scheduler, VALUE io, const void *base, size_t size, size_t length)
{
    struct operation o = {scheduler, io, 0, 0, length, rb_fiber_scheduler_io_write, 0};
    return on_memory(o, base, size, RB_IO_BUFFER_LOCKED | RB_IO_BUFFER_READONLY);
}

VALUE rb_fiber_scheduler_io_pread_memory(VALUE scheduler, VALUE io, off_t from, void *base, size_t size, size_t length)
{
    struct operation o = {scheduler, io, 0, from, length, 0, rb_fiber_scheduler_io_pread};
    return on_memory(o, base, size, RB_IO_BUFFER_LOCKED);
}

VALUE rb_fiber_scheduler_io_pwrite_memory(VALUE scheduler, VALUE io, off_t from, const void *base, size_t size,
    size_t length)
{
    struct operation o = {scheduler, io, 0, from, length, 0, rb_fiber_scheduler_io_pwrite};
    return on_memory(o, base, size, RB_IO_BUFFER_LOCKED | RB_IO_BUFFER_READONLY);
}

/* IO::Buffer, and what a scheduler of fibers does with work that it is offered. */
#include "rbl.h"

enum rb_io_buffer_flags rb_io_buffer_get_bytes(VALUE buffer, void **base, size_t *size)
{
    int flags;
    if (rbl_c_io_buffer_bytes(buffer, -1, base, size, &flags)) rbl_jump();
    return (enum rb_io_buffer_flags)flags;
}

void rb_io_buffer_get_bytes_for_reading(VALUE buffer, const void **base, size_t *size)
{
    int flags;
    void *address;
    if (rbl_c_io_buffer_bytes(buffer, 0, &address, size, &flags)) rbl_jump();
    *base = address;
}

void rb_io_buffer_get_bytes_for_writing(VALUE buffer, void **base, size_t *size)
{
    int flags;
    if (rbl_c_io_buffer_bytes(buffer, 1, base, size, &flags)) rbl_jump();
}

VALUE rb_io_buffer_free(VALUE buffer)
{
    return SEND(buffer, "free");
}

VALUE rb_io_buffer_transfer(VALUE buffer)
{
    return SEND(buffer, "transfer");
}

int rb_fiber_scheduler_blocking_operation_execute(rb_fiber_scheduler_blocking_operation_t *operation)
{
    return rbl_c_operation_execute(operation);
}

int rb_fiber_scheduler_blocking_operation_cancel(rb_fiber_scheduler_blocking_operation_t *operation)
{
    return rbl_c_operation_cancel(operation);
}

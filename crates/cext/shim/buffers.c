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
    MUST_BE(buffer, "IO::Buffer", "IO::Buffer");
    return OWN(buffer, "free");
}

VALUE rb_io_buffer_transfer(VALUE buffer)
{
    MUST_BE(buffer, "IO::Buffer", "IO::Buffer");
    return OWN(buffer, "transfer");
}

VALUE rb_io_buffer_free_locked(VALUE buffer)
{
    rb_io_buffer_unlock(buffer);
    return rb_io_buffer_free(buffer);
}

VALUE rb_io_buffer_map(VALUE io, size_t size, off_t offset, enum rb_io_buffer_flags flags)
{
    return OWN(rb_cIOBuffer, "map", io, SIZET2NUM(size), OFFT2NUM(offset), INT2NUM(flags));
}

void rb_io_buffer_resize(VALUE buffer, size_t size)
{
    MUST_BE(buffer, "IO::Buffer", "IO::Buffer");
    OWN(buffer, "resize", SIZET2NUM(size));
}

void rb_io_buffer_clear(VALUE buffer, uint8_t value, size_t offset, size_t length)
{
    MUST_BE(buffer, "IO::Buffer", "IO::Buffer");
    OWN(buffer, "clear", INT2FIX(value), SIZET2NUM(offset), SIZET2NUM(length));
}

VALUE rb_io_buffer_read(VALUE buffer, VALUE io, size_t length, size_t offset)
{
    MUST_BE(buffer, "IO::Buffer", "IO::Buffer");
    return OWN(buffer, "read", io, SIZET2NUM(length), SIZET2NUM(offset));
}

VALUE rb_io_buffer_write(VALUE buffer, VALUE io, size_t length, size_t offset)
{
    MUST_BE(buffer, "IO::Buffer", "IO::Buffer");
    return OWN(buffer, "write", io, SIZET2NUM(length), SIZET2NUM(offset));
}

VALUE rb_io_buffer_pread(VALUE buffer, VALUE io, off_t from, size_t length, size_t offset)
{
    MUST_BE(buffer, "IO::Buffer", "IO::Buffer");
    return OWN(buffer, "pread", io, OFFT2NUM(from), SIZET2NUM(length), SIZET2NUM(offset));
}

VALUE rb_io_buffer_pwrite(VALUE buffer, VALUE io, off_t from, size_t length, size_t offset)
{
    MUST_BE(buffer, "IO::Buffer", "IO::Buffer");
    return OWN(buffer, "pwrite", io, OFFT2NUM(from), SIZET2NUM(length), SIZET2NUM(offset));
}

int rb_fiber_scheduler_blocking_operation_execute(rb_fiber_scheduler_blocking_operation_t *operation)
{
    return rbl_c_operation_execute(operation);
}

int rb_fiber_scheduler_blocking_operation_cancel(rb_fiber_scheduler_blocking_operation_t *operation)
{
    return rbl_c_operation_cancel(operation);
}

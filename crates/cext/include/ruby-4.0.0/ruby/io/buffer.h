#ifndef RUBELLITE_RUBY_IO_BUFFER_H
#define RUBELLITE_RUBY_IO_BUFFER_H
#include "ruby/ruby.h"

#define RB_IO_BUFFER_EXPERIMENTAL 1
#define RUBY_IO_BUFFER_VERSION 2
enum rb_io_buffer_endian {
    RB_IO_BUFFER_LITTLE_ENDIAN = 4,
    RB_IO_BUFFER_BIG_ENDIAN = 8,
    RB_IO_BUFFER_HOST_ENDIAN = RB_IO_BUFFER_LITTLE_ENDIAN,
    RB_IO_BUFFER_NETWORK_ENDIAN = RB_IO_BUFFER_BIG_ENDIAN
};
enum rb_io_buffer_flags {
    RB_IO_BUFFER_EXTERNAL = 1,
    RB_IO_BUFFER_INTERNAL = 2,
    RB_IO_BUFFER_MAPPED = 4,
    RB_IO_BUFFER_SHARED = 8,
    RB_IO_BUFFER_LOCKED = 32,
    RB_IO_BUFFER_PRIVATE = 64,
    RB_IO_BUFFER_READONLY = 128,
    RB_IO_BUFFER_FILE = 256
};

RBL_BEGIN_DECLS
extern VALUE rb_cIOBuffer;

/* buffer */
void rb_io_buffer_get_bytes_for_reading(VALUE, const void **, size_t *);
void rb_io_buffer_get_bytes_for_writing(VALUE, void **, size_t *);
VALUE rb_io_buffer_new(void *, size_t, enum rb_io_buffer_flags);
VALUE rb_io_buffer_free(VALUE);
VALUE rb_io_buffer_lock(VALUE);
VALUE rb_io_buffer_unlock(VALUE);
int rb_io_buffer_try_unlock(VALUE);
VALUE rb_io_buffer_transfer(VALUE);
VALUE rb_io_buffer_map(VALUE, size_t, off_t, enum rb_io_buffer_flags);
VALUE rb_io_buffer_free_locked(VALUE);
void rb_io_buffer_resize(VALUE, size_t);
void rb_io_buffer_clear(VALUE, uint8_t, size_t, size_t);
VALUE rb_io_buffer_read(VALUE, VALUE, size_t, size_t);
VALUE rb_io_buffer_pread(VALUE, VALUE, off_t, size_t, size_t);
VALUE rb_io_buffer_write(VALUE, VALUE, size_t, size_t);
VALUE rb_io_buffer_pwrite(VALUE, VALUE, off_t, size_t, size_t);
enum rb_io_buffer_flags rb_io_buffer_get_bytes(VALUE, void **, size_t *);
RBL_END_DECLS
#endif

#ifndef RUBELLITE_RUBY_IO_H
#define RUBELLITE_RUBY_IO_H
/* IO objects. `rb_io_t` is made when it is asked for, and tells what was so then.
 * Of what is written into it descriptor and mode count. */
#include <errno.h>
#include <poll.h>
#include "ruby/ruby.h"
#include "ruby/encoding.h"

enum rb_io_mode {
    RUBY_IO_MODE_READABLE = 0x00000001,
    RUBY_IO_MODE_WRITABLE = 0x00000002,
    RUBY_IO_MODE_READWRITE = RUBY_IO_MODE_READABLE | RUBY_IO_MODE_WRITABLE,
    RUBY_IO_MODE_BINMODE = 0x00000004,
    RUBY_IO_MODE_SYNC = 0x00000008,
    RUBY_IO_MODE_TTY = 0x00000010,
    RUBY_IO_MODE_DUPLEX = 0x00000020,
    RUBY_IO_MODE_APPEND = 0x00000040,
    RUBY_IO_MODE_CREATE = 0x00000080,
    RUBY_IO_MODE_EXCL = 0x00000400,
    RUBY_IO_MODE_TRUNC = 0x00000800,
    RUBY_IO_MODE_TEXTMODE = 0x00001000,
    RUBY_IO_MODE_EXTERNAL = 0x00010000,
    RUBY_IO_MODE_SETENC_BY_BOM = 0x00100000,
    RUBY_IO_MODE_UNIX = 0x00200000,
    RUBY_IO_MODE_INET = 0x00400000,
    RUBY_IO_MODE_INET6 = 0x00800000
};
typedef enum rb_io_mode rb_io_mode_t;
#define RUBY_IO_MODE_READABLE_WRITABLE RUBY_IO_MODE_READWRITE
#define RUBY_IO_MODE_BINARY RUBY_IO_MODE_BINMODE
#define RUBY_IO_MODE_TEXT RUBY_IO_MODE_TEXTMODE
#define RUBY_IO_MODE_SYNCHRONISED RUBY_IO_MODE_SYNC
#define RUBY_IO_MODE_EXCLUSIVE RUBY_IO_MODE_EXCL
#define RUBY_IO_MODE_TRUNCATE RUBY_IO_MODE_TRUNC
#define RUBY_IO_MODE_TEXT_SET_ENCODING_FROM_BOM RUBY_IO_MODE_SETENC_BY_BOM
#define RUBY_IO_WAIT_METHODS
#define FMODE_READABLE 0x00000001
#define FMODE_WRITABLE 0x00000002
#define FMODE_READWRITE (FMODE_READABLE | FMODE_WRITABLE)
#define FMODE_BINMODE 0x00000004
#define FMODE_SYNC 0x00000008
#define FMODE_TTY 0x00000010
#define FMODE_DUPLEX 0x00000020
#define FMODE_APPEND 0x00000040
#define FMODE_CREATE 0x00000080
#define FMODE_EXCL 0x00000400
#define FMODE_TRUNC 0x00000800
#define FMODE_TEXTMODE 0x00001000
#define FMODE_EXTERNAL 0x00010000
#define FMODE_SETENC_BY_BOM 0x00100000
#define FMODE_UNIX 0x00200000
#define FMODE_INET 0x00400000
#define FMODE_INET6 0x00800000

#define RB_WAITFD_IN 0x001
#define RB_WAITFD_PRI 0x002
#define RB_WAITFD_OUT 0x004
typedef enum {
    RUBY_IO_READABLE = RB_WAITFD_IN,
    RUBY_IO_WRITABLE = RB_WAITFD_OUT,
    RUBY_IO_PRIORITY = RB_WAITFD_PRI
} rb_io_event_t;
#define RUBY_IO_TIMEOUT_DEFAULT Qnil
#define RUBY_IO_MODE_H 1

/* CRuby keeps read and written bytes in it. What an IO has read ahead and has still to write is not told here:
 * all are empty. */
struct rb_io_internal_buffer {
    char *ptr;
    int off;
    int len;
    int capa;
};
typedef struct rb_io_internal_buffer rb_io_buffer_t;
struct rb_io_encoding {
    rb_encoding *enc;
    rb_encoding *enc2;
    int ecflags;
    VALUE ecopts;
};
typedef struct rb_io {
    VALUE self;
    FILE *stdio_file;
    int fd;
    int mode;
    int pid;
    int lineno;
    VALUE pathv;
    void (*finalize)(struct rb_io *, int);
    rb_io_buffer_t wbuf;
    rb_io_buffer_t rbuf;
    VALUE tied_io_for_writing;
    struct rb_io_encoding encs;
    rb_econv_t *readconv;
    rb_io_buffer_t cbuf;
    rb_econv_t *writeconv;
    VALUE writeconv_asciicompat;
    int writeconv_initialized;
    int writeconv_pre_ecflags;
    VALUE writeconv_pre_ecopts;
    VALUE write_lock;
    VALUE timeout;
} rb_io_t;
struct RFile {
    struct RBasic basic;
    rb_io_t *fptr;
};
#define HAVE_RB_IO_T 1
#define RB_IO_POINTER(obj, fp) rb_io_check_closed((fp) = rb_io_taint_check_fptr(obj))
#define GetOpenFile RB_IO_POINTER
#define RB_IO_OPEN_FILE(obj, fp) ((fp) = rb_io_make_open_file(obj))
#define rb_io_modenum_flags(oflags) rb_io_oflags_fmode(oflags)
#define MakeOpenFile RB_IO_OPEN_FILE
#define RB_IO_FPTR(obj) rb_io_taint_check_fptr(obj)
#define rb_io_mode_flags(modestr) rb_io_modestr_fmode(modestr)

RBL_BEGIN_DECLS
extern VALUE rb_eEAGAIN;
extern VALUE rb_eEWOULDBLOCK;
extern VALUE rb_eEINPROGRESS;
rb_io_t *rb_io_taint_check_fptr(VALUE);

/* io */
FILE *rb_io_stdio_file(rb_io_t *);
VALUE rb_io_check_io(VALUE);
VALUE rb_io_closed_p(VALUE);
VALUE rb_io_get_io(VALUE);
VALUE rb_io_get_write_io(VALUE);
VALUE rb_io_maybe_wait(int, VALUE, VALUE, VALUE);
VALUE rb_io_open_descriptor(VALUE, int, int, VALUE, VALUE, struct rb_io_encoding *);
VALUE rb_io_path(VALUE);
VALUE rb_io_set_write_io(VALUE, VALUE);
VALUE rb_io_taint_check(VALUE);
VALUE rb_io_wait(VALUE, VALUE, VALUE);
int rb_io_descriptor(VALUE);
int rb_io_extract_encoding_option(VALUE, rb_encoding **, rb_encoding **, int *);
int rb_io_maybe_wait_readable(int, VALUE, VALUE);
int rb_io_maybe_wait_writable(int, VALUE, VALUE);
int rb_io_mode(VALUE);
int rb_io_read_pending(rb_io_t *);
FILE *rb_fdopen(int, const char *);
int rb_io_wait_readable(int);
int rb_io_wait_writable(int);
int rb_wait_for_single_fd(int, int, struct timeval *);
ssize_t rb_io_bufwrite(VALUE, const void *, size_t);
RBL_NORETURN void rb_eof_error(void);
void rb_io_check_closed(rb_io_t *);
void rb_io_check_readable(rb_io_t *);
void rb_io_check_writable(rb_io_t *);
void rb_io_extract_modeenc(VALUE *, VALUE *, VALUE, int *, enum rb_io_mode *, rb_io_enc_t *);
void rb_io_set_nonblock(rb_io_t *);
void rb_io_synchronized(rb_io_t *);
VALUE rb_io_get_path(VALUE);
int rb_io_modestr_fmode(const char *);
int rb_io_modestr_oflags(const char *);
int rb_io_oflags_fmode(int);
void rb_io_check_initialized(rb_io_t *);
void rb_io_check_char_readable(rb_io_t *);
void rb_io_check_byte_readable(rb_io_t *);
void rb_io_read_check(rb_io_t *);
rb_io_t *rb_io_make_open_file(VALUE);
int rb_io_fptr_finalize(rb_io_t *);
RBL_NORETURN void rb_readwrite_sys_fail(enum rb_io_wait_readwrite, const char *);
VALUE rb_stat_new(const struct stat *);
RBL_END_DECLS
#endif

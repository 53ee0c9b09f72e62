/* What the parts of the shim share.
 *
 * The shim stands between extensions and the functions in Rust. It alone jumps, and only over frames of C: a function
 * in Rust that fails notes the exit in the context and returns 1, and the shim jumps to the tag that the last way from
 * Rust into C has laid down. */
#ifndef RBL_H
#define RBL_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <ruby/ruby.h>
#include <ruby/encoding.h>
#include <ruby/io.h>
#include <ruby/re.h>
#include <ruby/thread.h>
#include <ruby/thread_native.h>
#include <ruby/debug.h>
#include <ruby/util.h>
#include <ruby/vm.h>
#include <ruby/ractor.h>
#include <ruby/memory_view.h>
#include <ruby/io/buffer.h>
#include <ruby/fiber/scheduler.h>
#include <ruby/internal/unlisted.h>

#undef rb_intern
#undef rb_stdin
#undef rb_stdout
#undef rb_stderr
#undef rb_fs
#undef rb_rs
#undef rb_output_rs
#undef rb_output_fs
#undef strdup
#undef strtod

/* Where C code goes when an exit is pending. */
struct rbl_tag {
    /* What `__builtin_setjmp` notes: frame, address and stack.
     * The registers are where the function that has it keeps them. */
    void *buf[5];
    struct rbl_tag *prev;
};

/* What C code has while it runs with the lock; see `state.rs`. */
struct rbl_running {
    /* The context; null without the lock. */
    void *ctx;
    struct rbl_tag *tag;
    /* The block of the method or block function that runs. */
    VALUE block;
    /* The Proc of the block function that runs, or nil. */
    VALUE proc;
    /* Whether it got keywords. */
    int keywords;
    /* What `rb_errinfo` says. */
    VALUE errinfo;
    /* `$!` of the code that has called the C code. */
    VALUE outer;
};

/* What a native thread has. */
struct rbl_thread {
    struct rbl_running now;
    /* The region that the thread is in, while it is outside the lock. */
    void *region;
    /* The collector that calls mark functions. */
    void *marker;
    /* The context that it has had last. */
    void *home;
    /* The file that the loader is opening for it, or null; see `opening.c`. */
    struct rbl_opening *opening;
    /* Whether C code is left because its frames have come to the end of the machine stack: no exit is pending. */
    int overflowed;
};
extern __thread struct rbl_thread rbl_self;

/* The body of a function that calls into C behind a tag. */
#define ENTER(call) \
    struct rbl_tag tag; \
    volatile int status = 0; \
    tag.prev = rbl_self.now.tag; \
    rbl_self.now.tag = &tag; \
    if (__builtin_setjmp(tag.buf) == 0) { call; } else { status = 1; } \
    rbl_self.now.tag = tag.prev; \
    if (status && rbl_self.overflowed) rbl_overflowed(); \
    return status

RBL_NORETURN void rbl_jump(void);
/* Makes the exit for `overflowed`. */
void rbl_overflowed(void);
/* Before an exit jumps: one out of a static constructor ends that and does not return. */
void rbl_leave_constructor(void);
RBL_NORETURN void rbl_unimplemented(const char *name);

/* Each calls into C behind a tag: 0, or 1 with an exit pending. */
int rbl_enter(VALUE (*function)(VALUE), VALUE argument, VALUE *out);
int rbl_enter2(VALUE (*function)(VALUE, VALUE), VALUE a, VALUE b, VALUE *out);

#include "rbl_rust.h"
/* Calls a method by its name, which is looked up once. */
#define SEND(receiver, name, ...) \
    __extension__ ({ \
        static ID send_id; \
        if (!send_id) send_id = rb_intern2(name, (long)strlen(name)); \
        VALUE send_args[] = {0, ##__VA_ARGS__}; \
        rb_funcallv((receiver), send_id, (int)(sizeof send_args / sizeof *send_args) - 1, send_args + 1); \
    })
/* Calls what the nearest core class of the receiver does under the name, whatever a program's classes make of it.
 * `how`: with the block of the running method, with keywords as the last argument. */
enum { WITH_BLOCK = 1, WITH_KEYWORDS = 2 };
VALUE rbl_own(VALUE receiver, ID name, int argc, const VALUE *argv, int how);
#define OWN(receiver, name, ...) \
    __extension__ ({ \
        static ID send_id; \
        if (!send_id) send_id = rb_intern2(name, (long)strlen(name)); \
        VALUE send_args[] = {0, ##__VA_ARGS__}; \
        rbl_own((receiver), send_id, (int)(sizeof send_args / sizeof *send_args) - 1, send_args + 1, 0); \
    })
/* Raises TypeError for what is no instance of the class, in the words of CRuby's check of data:
 * `name` is what it calls the type. */
void rbl_must_be(VALUE object, VALUE *klass, const char *path, const char *name);
#define MUST_BE(object, path, name) \
    do { \
        static VALUE must_be_class; \
        rbl_must_be((object), &must_be_class, path, name); \
    } while (0)
#define CONSTANT(name) rb_const_get(rb_cObject, rb_intern2(name, (long)strlen(name)))

#endif

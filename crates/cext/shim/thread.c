/* Threads, native mutexes, sets of descriptors, IO objects. */
#include "rbl.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>

/* Calls work that runs outside the lock. */
int rbl_enter_work(void *(*function)(void *), void *data, void **out)
{
    ENTER(*out = function(data));
}

int ruby_thread_has_gvl_p(void)
{
    return rbl_has_lock();
}

VALUE rb_thread_main(void)
{
    return OWN(rb_cThread, "main");
}

VALUE rb_thread_stop(void)
{
    return OWN(rb_cThread, "stop");
}

VALUE rb_thread_wakeup_alive(VALUE thread)
{
    MUST_BE(thread, "Thread", "VM/thread");
    return RTEST(OWN(thread, "alive?")) ? OWN(thread, "wakeup") : Qnil;
}

void rb_thread_sleep_deadly(void)
{
    rb_thread_sleep_forever();
}

void rb_thread_atfork(void)
{
}

VALUE rb_thread_local_aref(VALUE thread, ID name)
{
    MUST_BE(thread, "Thread", "VM/thread");
    return OWN(thread, "[]", ID2SYM(name));
}

VALUE rb_thread_local_aset(VALUE thread, ID name, VALUE value)
{
    MUST_BE(thread, "Thread", "VM/thread");
    return OWN(thread, "[]=", ID2SYM(name), value);
}

int rb_thread_fd_close(int fd)
{
    return 0;
}

void rbl_must_be(VALUE object, VALUE *klass, const char *path, const char *name)
{
    if (!*klass) *klass = rb_path2class(path);
    if (RTEST(rb_obj_is_kind_of(object, *klass))) return;
    VALUE what = NIL_P(object) || object == Qtrue || object == Qfalse ? rb_inspect(object) : rb_obj_class(object);
    rb_raise(rb_eTypeError, "wrong argument type %"PRIsVALUE" (expected %s)", what, name);
}

VALUE rb_mutex_new(void)
{
    return rb_class_new_instance(0, 0, rb_const_get(rb_cThread, (rb_intern)("Mutex")));
}

VALUE rb_mutex_synchronize(VALUE mutex, VALUE (*function)(VALUE), VALUE arg)
{
    rb_mutex_lock(mutex);
    return rb_ensure(function, arg, rb_mutex_unlock, mutex);
}

/* -- fibers ------------------------------------------------------------------------------------ */

VALUE rb_fiber_current(void)
{
    return OWN(rb_path2class("Fiber"), "current");
}

VALUE rb_fiber_new(rb_block_call_func_t function, VALUE data)
{
    return rb_funcall_with_block(rb_path2class("Fiber"), (rb_intern)("new"), 0, 0, rb_proc_new(function, data));
}

VALUE rb_fiber_new_storage(rb_block_call_func_t function, VALUE data, VALUE storage)
{
    VALUE options = rb_hash_new();
    rb_hash_aset(options, ID2SYM((rb_intern)("storage")), storage);
    return rb_funcall_with_block_kw(rb_path2class("Fiber"), (rb_intern)("new"), 1, &options,
        rb_proc_new(function, data), RB_PASS_KEYWORDS);
}

VALUE rb_fiber_resume(VALUE fiber, int argc, const VALUE *argv)
{
    MUST_BE(fiber, "Fiber", "fiber");
    return rbl_own(fiber, (rb_intern)("resume"), argc, argv, 0);
}

VALUE rb_fiber_resume_kw(VALUE fiber, int argc, const VALUE *argv, int keywords)
{
    MUST_BE(fiber, "Fiber", "fiber");
    return rbl_own(fiber, (rb_intern)("resume"), argc, argv,
        keywords == RB_PASS_CALLED_KEYWORDS ? rb_keyword_given_p() ? WITH_KEYWORDS : 0 : keywords ? WITH_KEYWORDS : 0);
}

VALUE rb_fiber_transfer(VALUE fiber, int argc, const VALUE *argv)
{
    MUST_BE(fiber, "Fiber", "fiber");
    return rbl_own(fiber, (rb_intern)("transfer"), argc, argv, 0);
}

VALUE rb_fiber_transfer_kw(VALUE fiber, int argc, const VALUE *argv, int keywords)
{
    MUST_BE(fiber, "Fiber", "fiber");
    return rbl_own(fiber, (rb_intern)("transfer"), argc, argv,
        keywords == RB_PASS_CALLED_KEYWORDS ? rb_keyword_given_p() ? WITH_KEYWORDS : 0 : keywords ? WITH_KEYWORDS : 0);
}

VALUE rb_fiber_yield(int argc, const VALUE *argv)
{
    return rb_funcallv(rb_path2class("Fiber"), (rb_intern)("yield"), argc, argv);
}

VALUE rb_fiber_yield_kw(int argc, const VALUE *argv, int keywords)
{
    return rb_funcallv_kw(rb_path2class("Fiber"), (rb_intern)("yield"), argc, argv, keywords);
}

VALUE rb_fiber_raise(VALUE fiber, int argc, const VALUE *argv)
{
    MUST_BE(fiber, "Fiber", "fiber");
    return rbl_own(fiber, (rb_intern)("raise"), argc, argv, 0);
}

VALUE rb_obj_is_fiber(VALUE object)
{
    return rb_obj_is_kind_of(object, rb_path2class("Fiber"));
}

/* -- native threads ---------------------------------------------------------------------------- */

rb_nativethread_id_t rb_nativethread_self(void)
{
    return pthread_self();
}

static void check(int error, const char *what)
{
    if (error != 0) rb_bug("%s: %s", what, strerror(error));
}

void rb_native_mutex_initialize(rb_nativethread_lock_t *lock)
{
    check(pthread_mutex_init(lock, 0), "pthread_mutex_init");
}

void rb_native_mutex_destroy(rb_nativethread_lock_t *lock)
{
    check(pthread_mutex_destroy(lock), "pthread_mutex_destroy");
}

void rb_native_mutex_lock(rb_nativethread_lock_t *lock)
{
    check(pthread_mutex_lock(lock), "pthread_mutex_lock");
}

int rb_native_mutex_trylock(rb_nativethread_lock_t *lock)
{
    return pthread_mutex_trylock(lock);
}

void rb_native_mutex_unlock(rb_nativethread_lock_t *lock)
{
    check(pthread_mutex_unlock(lock), "pthread_mutex_unlock");
}

void rb_nativethread_lock_initialize(rb_nativethread_lock_t *lock)
{
    rb_native_mutex_initialize(lock);
}

void rb_nativethread_lock_destroy(rb_nativethread_lock_t *lock)
{
    rb_native_mutex_destroy(lock);
}

void rb_nativethread_lock_lock(rb_nativethread_lock_t *lock)
{
    rb_native_mutex_lock(lock);
}

void rb_nativethread_lock_unlock(rb_nativethread_lock_t *lock)
{
    rb_native_mutex_unlock(lock);
}

void rb_native_cond_initialize(rb_nativethread_cond_t *cond)
{
    check(pthread_cond_init(cond, 0), "pthread_cond_init");
}

void rb_native_cond_destroy(rb_nativethread_cond_t *cond)
{
    check(pthread_cond_destroy(cond), "pthread_cond_destroy");
}

void rb_native_cond_signal(rb_nativethread_cond_t *cond)
{
    check(pthread_cond_signal(cond), "pthread_cond_signal");
}

void rb_native_cond_broadcast(rb_nativethread_cond_t *cond)
{
    check(pthread_cond_broadcast(cond), "pthread_cond_broadcast");
}

void rb_native_cond_wait(rb_nativethread_cond_t *cond, rb_nativethread_lock_t *lock)
{
    check(pthread_cond_wait(cond, lock), "pthread_cond_wait");
}

void rb_native_cond_timedwait(rb_nativethread_cond_t *cond, rb_nativethread_lock_t *lock, unsigned long milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)(milliseconds / 1000);
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    int error = pthread_cond_timedwait(cond, lock, &until);
    if (error != ETIMEDOUT) check(error, "pthread_cond_timedwait");
}

/* -- sets of descriptors ------------------------------------------------------------------------- */

static size_t set_bytes(int n)
{
    size_t words = ((size_t)n + NFDBITS - 1) / NFDBITS;
    size_t bytes = words * sizeof(fd_mask);
    return bytes < sizeof(fd_set) ? sizeof(fd_set) : bytes;
}

void rb_fd_init(rb_fdset_t *set)
{
    set->maxfd = 0;
    set->fdset = ruby_xcalloc(1, sizeof(fd_set));
}

void rb_fd_term(rb_fdset_t *set)
{
    ruby_xfree(set->fdset);
    set->maxfd = 0;
    set->fdset = 0;
}

void rb_fd_zero(rb_fdset_t *set)
{
    if (set->fdset) memset(set->fdset, 0, set_bytes(set->maxfd));
}

static void grow(rb_fdset_t *set, int n)
{
    size_t had = set_bytes(set->maxfd), needs = set_bytes(n + 1);
    if (needs > had) {
        set->fdset = ruby_xrealloc(set->fdset, needs);
        memset((char *)set->fdset + had, 0, needs - had);
    }
    if (n >= set->maxfd) set->maxfd = n + 1;
}

#define WORD(set, n) (((fd_mask *)(set)->fdset)[(n) / NFDBITS])
#define BIT(n) ((fd_mask)1 << ((n) % NFDBITS))

void rb_fd_set(int n, rb_fdset_t *set)
{
    grow(set, n);
    WORD(set, n) |= BIT(n);
}

void rb_fd_clr(int n, rb_fdset_t *set)
{
    if (n < set->maxfd) WORD(set, n) &= ~BIT(n);
}

int rb_fd_isset(int n, const rb_fdset_t *set)
{
    return n < set->maxfd && (WORD(set, n) & BIT(n)) != 0;
}

void rb_fd_copy(rb_fdset_t *to, const fd_set *from, int max)
{
    size_t bytes = set_bytes(max);
    to->maxfd = max;
    to->fdset = ruby_xrealloc(to->fdset, bytes);
    memcpy(to->fdset, from, bytes);
}

void rb_fd_dup(rb_fdset_t *to, const rb_fdset_t *from)
{
    rb_fd_copy(to, from->fdset, from->maxfd);
}

int rb_thread_fd_select(int max, rb_fdset_t *readers, rb_fdset_t *writers, rb_fdset_t *others, struct timeval *timeout)
{
    VALUE store = 0;
    struct pollfd *polls = RB_ALLOCV_N(struct pollfd, store, max > 0 ? max : 1);
    size_t n = 0;
    for (int fd = 0; fd < max; fd++) {
        short events = 0;
        if (readers && rb_fd_isset(fd, readers)) events |= POLLIN;
        if (writers && rb_fd_isset(fd, writers)) events |= POLLOUT;
        if (others && rb_fd_isset(fd, others)) events |= POLLPRI;
        if (events) polls[n++] = (struct pollfd){fd, events, 0};
    }
    int64_t milliseconds = timeout ? (int64_t)timeout->tv_sec * 1000 + (timeout->tv_usec + 999) / 1000 : -1;
    int ready;
    if (rbl_c_poll(polls, n, milliseconds, &ready)) rbl_jump();
    if (ready < 0) return ready;
    int total = 0;
    if (readers) rb_fd_zero(readers);
    if (writers) rb_fd_zero(writers);
    if (others) rb_fd_zero(others);
    for (size_t i = 0; i < n; i++) {
        if (polls[i].revents & POLLNVAL) {
            errno = EBADF;
            return -1;
        }
        if (readers && (polls[i].events & POLLIN) && (polls[i].revents & (POLLIN | POLLHUP | POLLERR))) {
            rb_fd_set(polls[i].fd, readers);
            total++;
        }
        if (writers && (polls[i].events & POLLOUT) && (polls[i].revents & (POLLOUT | POLLERR))) {
            rb_fd_set(polls[i].fd, writers);
            total++;
        }
        if (others && (polls[i].events & POLLPRI) && (polls[i].revents & POLLPRI)) {
            rb_fd_set(polls[i].fd, others);
            total++;
        }
    }
    RB_ALLOCV_END(store);
    return total;
}

/* -- descriptors ------------------------------------------------------------------------------------ */

void rb_update_max_fd(int fd)
{
}

void rb_maygvl_fd_fix_cloexec(int fd)
{
    if (fd < 0) return;
    int flags = fcntl(fd, F_GETFD);
    if (flags == -1) rb_bug("rb_maygvl_fd_fix_cloexec: fcntl(%d, F_GETFD) failed: %s", fd, strerror(errno));
    int wanted = fd <= 2 ? flags & ~FD_CLOEXEC : flags | FD_CLOEXEC;
    if (flags != wanted) fcntl(fd, F_SETFD, wanted);
}

void rb_fd_fix_cloexec(int fd)
{
    rb_maygvl_fd_fix_cloexec(fd);
}

int rb_cloexec_open(const char *path, int flags, mode_t mode)
{
    return open(path, flags | O_CLOEXEC, mode);
}

int rb_cloexec_dup(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

int rb_cloexec_dup2(int from, int to)
{
    return from == to ? to : dup3(from, to, to <= 2 ? 0 : O_CLOEXEC);
}

int rb_cloexec_fcntl_dupfd(int fd, int min)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, min);
}

int rb_cloexec_pipe(int *fds)
{
    return pipe2(fds, O_CLOEXEC | O_NONBLOCK);
}

int rb_pipe(int *fds)
{
    return pipe2(fds, O_CLOEXEC);
}

int rb_reserved_fd_p(int fd)
{
    return 0;
}

/* -- IO objects -------------------------------------------------------------------------------------- */

struct told {
    int fd, write_fd, mode, pid, lineno, external, internal;
    VALUE path, timeout;
};

static const rb_data_type_t io_type = {"rb_io_t", {0, RUBY_DEFAULT_FREE, 0, 0, {0}}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};

/* The structure lives as long as its IO, in a hidden instance variable. */
static rb_io_t *file_of(VALUE object)
{
    static ID id;
    if (!id) id = (rb_intern)("__rb_io");
    VALUE io = rb_io_get_io(object);
    struct told told;
    int known;
    if (rbl_io_tell(io, &told, &known)) rbl_jump();
    if (!known) rb_raise(rb_eIOError, "uninitialized stream");
    VALUE holder = rb_attr_get(io, id);
    rb_io_t *fptr;
    if (NIL_P(holder)) {
        holder = rb_data_typed_object_zalloc(0, sizeof(rb_io_t), &io_type);
        if (!RB_OBJ_FROZEN(io)) rb_ivar_set(io, id, holder);
        else rb_gc_register_mark_object(holder);
    }
    fptr = RTYPEDDATA_DATA(holder);
    fptr->self = io;
    fptr->fd = told.fd;
    fptr->pid = told.pid;
    fptr->lineno = told.lineno;
    fptr->pathv = told.path;
    fptr->timeout = told.timeout;
    fptr->mode = (told.mode & 1 ? FMODE_READABLE : 0) | (told.mode & 2 ? FMODE_WRITABLE : 0)
        | (told.mode & 4 ? FMODE_APPEND : 0) | (told.mode & 8 ? FMODE_BINMODE : 0) | (told.mode & 16 ? FMODE_SYNC : 0)
        | (told.mode & 32 ? FMODE_TTY : 0) | (told.write_fd >= 0 ? FMODE_DUPLEX : 0);
    fptr->encs.enc = told.internal >= 0 ? rb_enc_from_index(told.internal)
        : told.external >= 0 ? rb_enc_from_index(told.external)
        : 0;
    fptr->encs.enc2 = told.internal >= 0 && told.external >= 0 ? rb_enc_from_index(told.external) : 0;
    fptr->encs.ecopts = Qnil;
    fptr->tied_io_for_writing = 0;
    return fptr;
}

/* What the caller writes into it is so from the next call on. */
rb_io_t *rb_io_taint_check_fptr(VALUE object)
{
    rb_io_t *fptr = file_of(object);
    if (rbl_io_note(fptr->self, fptr, 0)) rbl_jump();
    return fptr;
}

rb_io_t *rb_io_make_open_file(VALUE object)
{
    if (!RTEST(rb_obj_is_kind_of(object, rb_cIO))) Check_Type(object, T_FILE);
    if (rbl_io_make(object, 0)) rbl_jump();
    return rb_io_taint_check_fptr(object);
}

VALUE rb_io_taint_check(VALUE io)
{
    rb_check_frozen(io);
    return io;
}

VALUE rb_io_get_io(VALUE io)
{
    if (RTEST(rb_obj_is_kind_of(io, rb_cIO))) return io;
    return rb_convert_type(io, T_FILE, "IO", "to_io");
}

VALUE rb_io_check_io(VALUE io)
{
    if (RTEST(rb_obj_is_kind_of(io, rb_cIO))) return io;
    return rb_check_convert_type(io, T_FILE, "IO", "to_io");
}

VALUE rb_io_get_write_io(VALUE io)
{
    return io;
}

VALUE rb_io_set_write_io(VALUE io, VALUE write_io)
{
    return Qnil;
}

int rb_io_descriptor(VALUE io)
{
    if (RB_TYPE_P(io, T_FILE)) {
        rb_io_t *fptr = file_of(io);
        rb_io_check_closed(fptr);
        return fptr->fd;
    }
    VALUE fd = rb_check_funcall(io, (rb_intern)("fileno"), 0, 0);
    if (fd == Qundef) rb_raise(rb_eTypeError, "expected IO or #fileno, %"PRIsVALUE" given", rb_obj_class(io));
    return NUM2INT(fd);
}

int rb_io_mode(VALUE io)
{
    return file_of(io)->mode;
}

VALUE rb_io_path(VALUE io)
{
    rb_io_t *fptr = file_of(io);
    return NIL_P(fptr->pathv) ? Qnil : rb_obj_dup(fptr->pathv);
}

VALUE rb_io_get_path(VALUE io)
{
    return rb_io_path(io);
}

void rb_io_check_initialized(rb_io_t *fptr)
{
    if (!fptr) rb_raise(rb_eIOError, "uninitialized stream");
}

void rb_io_check_closed(rb_io_t *fptr)
{
    rb_io_check_initialized(fptr);
    if (rbl_io_must_be_open(fptr->self, 0)) rbl_jump();
}

void rb_io_check_readable(rb_io_t *fptr)
{
    rb_io_check_closed(fptr);
    if (rbl_io_must_read(fptr->self, 0)) rbl_jump();
}

void rb_io_check_char_readable(rb_io_t *fptr)
{
    rb_io_check_readable(fptr);
}

void rb_io_check_byte_readable(rb_io_t *fptr)
{
    rb_io_check_readable(fptr);
}

void rb_io_check_writable(rb_io_t *fptr)
{
    rb_io_check_closed(fptr);
    if (rbl_io_must_write(fptr->self, 0)) rbl_jump();
}

int rb_io_read_pending(rb_io_t *fptr)
{
    int pending = 0;
    if (rbl_io_buffered(fptr->self, &pending)) rbl_jump();
    return pending;
}

void rb_io_read_check(rb_io_t *fptr)
{
    if (!rb_io_read_pending(fptr)) rb_thread_wait_fd(fptr->fd);
}

void rb_io_synchronized(rb_io_t *fptr)
{
    rb_io_check_initialized(fptr);
    OWN(fptr->self, "sync=", Qtrue);
    fptr->mode |= FMODE_SYNC;
}

void rb_io_set_nonblock(rb_io_t *fptr)
{
    int flags = fcntl(fptr->fd, F_GETFL);
    if (flags == -1) rb_sys_fail(0);
    if (!(flags & O_NONBLOCK) && fcntl(fptr->fd, F_SETFL, flags | O_NONBLOCK) == -1) rb_sys_fail(0);
}

FILE *rb_io_stdio_file(rb_io_t *fptr)
{
    if (!fptr->stdio_file) {
        int flags = fcntl(fptr->fd, F_GETFL) & O_ACCMODE;
        fptr->stdio_file = fdopen(fptr->fd, flags == O_RDONLY ? "r" : flags == O_WRONLY ? "w" : "r+");
        if (!fptr->stdio_file) rb_sys_fail(0);
        /* The IO is read, written and closed without a look at the stream: nothing may stay in its buffer. */
        setvbuf(fptr->stdio_file, NULL, _IONBF, 0);
    }
    return fptr->stdio_file;
}

VALUE rb_io_fdopen(int fd, int flags, const char *path)
{
    VALUE class = fd <= 2 ? rb_cIO : rb_cFile;
    VALUE args[2] = {INT2NUM(fd), INT2NUM(flags)};
    return rb_funcallv(class, (rb_intern)("for_fd"), 2, args);
}

VALUE rb_io_open_descriptor(VALUE class, int fd, int mode, VALUE path, VALUE timeout, struct rb_io_encoding *encoding)
{
    int flags = (mode & FMODE_READWRITE) == FMODE_READWRITE ? O_RDWR : mode & FMODE_WRITABLE ? O_WRONLY : O_RDONLY;
    if (mode & FMODE_APPEND) flags |= O_APPEND;
    VALUE options = rb_hash_new();
    if (!NIL_P(path)) rb_hash_aset(options, ID2SYM((rb_intern)("path")), path);
    if (mode & FMODE_EXTERNAL) rb_hash_aset(options, ID2SYM((rb_intern)("autoclose")), Qfalse);
    if (encoding && encoding->enc)
        rb_hash_aset(options, ID2SYM((rb_intern)("external_encoding")), rb_enc_from_encoding(encoding->enc));
    VALUE args[3] = {INT2NUM(fd), INT2NUM(flags), options};
    VALUE io = rb_funcallv_kw(class, (rb_intern)("for_fd"), 3, args, RB_PASS_KEYWORDS);
    if (mode & FMODE_SYNC) OWN(io, "sync=", Qtrue);
    if (!NIL_P(timeout)) OWN(io, "timeout=", timeout);
    return io;
}

int rb_io_modestr_fmode(const char *mode)
{
    int fmode;
    const char *whole = mode;
    switch (*mode++) {
      case 'r': fmode = FMODE_READABLE; break;
      case 'w': fmode = FMODE_WRITABLE | FMODE_TRUNC | FMODE_CREATE; break;
      case 'a': fmode = FMODE_WRITABLE | FMODE_APPEND | FMODE_CREATE; break;
      default: rb_raise(rb_eArgError, "invalid access mode %s", whole);
    }
    for (; *mode && *mode != ':'; mode++) {
        switch (*mode) {
          case 'b': fmode |= FMODE_BINMODE; break;
          case 't': fmode |= FMODE_TEXTMODE; break;
          case '+': fmode |= FMODE_READWRITE; break;
          case 'x':
            if (*whole != 'w') rb_raise(rb_eArgError, "invalid access mode %s", whole);
            fmode |= FMODE_EXCL;
            break;
          default: rb_raise(rb_eArgError, "invalid access mode %s", whole);
        }
    }
    return fmode;
}

int rb_io_oflags_fmode(int flags)
{
    int fmode = (flags & O_ACCMODE) == O_RDWR ? FMODE_READWRITE
        : (flags & O_ACCMODE) == O_WRONLY ? FMODE_WRITABLE
        : FMODE_READABLE;
    if (flags & O_APPEND) fmode |= FMODE_APPEND;
    if (flags & O_TRUNC) fmode |= FMODE_TRUNC;
    if (flags & O_CREAT) fmode |= FMODE_CREATE;
    if (flags & O_EXCL) fmode |= FMODE_EXCL;
    return fmode;
}

int rb_io_modestr_oflags(const char *mode)
{
    int fmode = rb_io_modestr_fmode(mode);
    int flags = (fmode & FMODE_READWRITE) == FMODE_READWRITE ? O_RDWR : fmode & FMODE_WRITABLE ? O_WRONLY : O_RDONLY;
    if (fmode & FMODE_APPEND) flags |= O_APPEND;
    if (fmode & FMODE_TRUNC) flags |= O_TRUNC;
    if (fmode & FMODE_CREATE) flags |= O_CREAT;
    if (fmode & FMODE_EXCL) flags |= O_EXCL;
    return flags;
}

VALUE rb_io_ascii8bit_binmode(VALUE io)
{
    return OWN(io, "binmode");
}

/* The bytes are written as they are: in the IO's own encoding nothing is left to convert. */
ssize_t rb_io_bufwrite(VALUE io, const void *bytes, size_t size)
{
    VALUE string = rb_str_new(bytes, (long)size);
    VALUE external = RB_TYPE_P(io, T_FILE) ? OWN(io, "external_encoding") : Qnil;
    if (!NIL_P(external)) rb_enc_associate_index(string, rb_enc_get_index(external));
    return NUM2SSIZET(rb_io_write(io, string));
}

VALUE rb_io_wait(VALUE io, VALUE events, VALUE timeout)
{
    rb_io_t *fptr = file_of(io);
    rb_io_check_closed(fptr);
    VALUE scheduler = rb_fiber_scheduler_current();
    if (!NIL_P(scheduler)) return rb_fiber_scheduler_io_wait(scheduler, io, events, timeout);
    if (NIL_P(timeout)) timeout = fptr->timeout;
    struct timeval tv, *limit = 0;
    if (!NIL_P(timeout)) {
        tv = rb_time_interval(timeout);
        limit = &tv;
    }
    int came = rb_wait_for_single_fd(fptr->fd, NUM2INT(events), limit);
    if (came < 0) rb_sys_fail(0);
    int wanted = NUM2INT(events) & came;
    return wanted ? INT2NUM(wanted) : Qfalse;
}

VALUE rb_io_maybe_wait(int error, VALUE io, VALUE events, VALUE timeout)
{
    rb_io_check_closed(file_of(io));
    switch (error) {
      case EINTR:
        rb_thread_check_ints();
        return events;
      case EAGAIN:
        return rb_io_wait(io, events, timeout);
      default:
        return Qnil;
    }
}

static int maybe_wait(int error, VALUE io, int event, VALUE timeout)
{
    VALUE result = rb_io_maybe_wait(error, io, INT2NUM(event), timeout);
    if (RTEST(result)) return NUM2INT(result);
    if (result == Qfalse)
        rb_raise(rb_eIOTimeoutError, "Timed out waiting for IO to become %s!",
            event == RUBY_IO_READABLE ? "readable" : "writable");
    return 0;
}

int rb_io_maybe_wait_readable(int error, VALUE io, VALUE timeout)
{
    return maybe_wait(error, io, RUBY_IO_READABLE, timeout);
}

int rb_io_maybe_wait_writable(int error, VALUE io, VALUE timeout)
{
    return maybe_wait(error, io, RUBY_IO_WRITABLE, timeout);
}

int rb_io_wait_readable(int fd)
{
    switch (errno) {
      case EINTR:
        rb_thread_check_ints();
        return Qtrue;
      case EAGAIN:
        rb_thread_wait_fd(fd);
        return Qtrue;
      default:
        return Qfalse;
    }
}

int rb_io_wait_writable(int fd)
{
    switch (errno) {
      case EINTR:
        rb_thread_check_ints();
        return Qtrue;
      case EAGAIN:
        rb_thread_fd_writable(fd);
        return Qtrue;
      default:
        return Qfalse;
    }
}

/* Calls a hook on threads' turns. */
int rbl_enter_turn(rb_internal_thread_event_callback function, rb_event_flag_t event,
    const rb_internal_thread_event_data_t *about, void *data)
{
    ENTER(function(event, about, data));
}

/* Calls a postponed job. */
int rbl_enter_job(rb_postponed_job_func_t function, void *data)
{
    ENTER(function(data));
}

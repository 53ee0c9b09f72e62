/* What few extensions call, and no other file has a place for. */
#include "rbl.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/select.h>

VALUE rb_obj_is_method(VALUE object)
{
    return rb_obj_is_kind_of(object, rb_cMethod);
}

VALUE rb_check_to_int(VALUE object)
{
    return rb_check_to_integer(object, "to_int");
}

VALUE rb_check_to_float(VALUE object)
{
    if (RB_FLOAT_TYPE_P(object)) return object;
    return RTEST(rb_obj_is_kind_of(object, rb_cNumeric)) ? rb_check_convert_type(object, T_FLOAT, "Float", "to_f")
        : Qnil;
}

void rb_check_inheritable(VALUE super)
{
    if (!RB_TYPE_P(super, T_CLASS))
        rb_raise(rb_eTypeError, "superclass must be an instance of Class (given an instance of %"PRIsVALUE")",
            rb_obj_class(super));
    if (RTEST(SEND(super, "singleton_class?"))) rb_raise(rb_eTypeError, "can't make subclass of singleton class");
    if (super == rb_cClass) rb_raise(rb_eTypeError, "can't make subclass of Class");
}

VALUE rb_dbl_cmp(double a, double b)
{
    return a != a || b != b ? Qnil : INT2FIX((a > b) - (a < b));
}

VALUE rb_num2fix(VALUE number)
{
    if (FIXNUM_P(number)) return number;
    long whole = NUM2LONG(number);
    if (!FIXABLE(whole)) rb_raise(rb_eRangeError, "integer %ld out of range of fixnum", whole);
    return LONG2FIX(whole);
}

/* -- the C library's errno, which another module's copy of the library may keep elsewhere ---------------------- */

int rb_errno(void)
{
    return errno;
}

int *rb_errno_ptr(void)
{
    return &errno;
}

void rb_errno_set(int error)
{
    errno = error;
}

/* -- processes ------------------------------------------------------------------------------------------------ */

struct spawning {
    int argc;
    const VALUE *argv;
};

static VALUE spawned(VALUE words)
{
    const struct spawning *s = (const struct spawning *)words;
    return rb_funcallv_kw(rb_mProcess, (rb_intern)("spawn"), s->argc, s->argv,
        s->argc > 0 && RB_TYPE_P(s->argv[s->argc - 1], T_HASH));
}

/* The new process, or -1 with `errno` and the message of what failed.
 * Other exceptions than those of the system go on. */
rb_pid_t rb_spawn_err(int argc, const VALUE *argv, char *message, size_t room)
{
    struct spawning s = {argc, argv};
    int state;
    VALUE process = rb_protect(spawned, (VALUE)&s, &state);
    if (!state) return NUM2PIDT(process);
    VALUE error = rb_errinfo();
    if (!RTEST(rb_obj_is_kind_of(error, rb_eSystemCallError))) rb_jump_tag(state);
    rb_set_errinfo(Qnil);
    VALUE text = rb_obj_as_string(error);
    if (message) ruby_strlcpy(message, StringValueCStr(text), room);
    errno = NUM2INT(SEND(error, "errno"));
    return -1;
}

rb_pid_t rb_spawn(int argc, const VALUE *argv)
{
    return rb_spawn_err(argc, argv, 0, 0);
}

void rb_syswait(rb_pid_t process)
{
    int status;
    rb_waitpid(process, &status, 0);
}

const char *ruby_signal_name(int number)
{
    VALUE name = rb_funcall(rb_path2class("Signal"), (rb_intern)("signame"), 1, INT2NUM(number));
    return NIL_P(name) ? 0 : rb_id2name(rb_intern_str(name));
}

/* -- recursion that ends at the outermost call ------------------------------------------------------------------- */

struct outer {
    VALUE (*function)(VALUE, VALUE, int);
    VALUE object, paired, argument, tag;
};

static VALUE within(VALUE object, VALUE words, int again)
{
    const struct outer *outer = (const struct outer *)words;
    if (again) rb_throw_obj(outer->tag, outer->tag);
    return outer->function(object, outer->argument, 0);
}

static VALUE caught(RB_BLOCK_CALL_FUNC_ARGLIST(tag, words))
{
    struct outer *outer = (struct outer *)words;
    outer->tag = tag;
    return rb_exec_recursive_paired(within, outer->object, outer->paired, words);
}

/* The functions whose outermost calls are under way in the running fiber, each with the tag that ends the call. */
static VALUE outermost_calls(void)
{
    VALUE thread = rb_thread_current();
    ID name = (rb_intern)("__exec_recursive_outer__");
    VALUE calls = rb_thread_local_aref(thread, name);
    if (NIL_P(calls)) rb_thread_local_aset(thread, name, calls = rb_hash_new());
    return calls;
}

static VALUE run_outermost(VALUE words)
{
    struct outer *outer = (struct outer *)words;
    VALUE tag = rb_obj_alloc(rb_cObject);
    rb_hash_aset(outermost_calls(), ULL2NUM((uintptr_t)outer->function), tag);
    return rb_catch_obj(tag, caught, words);
}

static VALUE leave_outermost(VALUE function)
{
    return rb_hash_delete(outermost_calls(), function);
}

VALUE rb_exec_recursive_paired_outer(VALUE (*function)(VALUE, VALUE, int), VALUE object, VALUE paired, VALUE argument)
{
    VALUE name = ULL2NUM((uintptr_t)function);
    struct outer outer = {function, object, paired, argument, rb_hash_aref(outermost_calls(), name)};
    if (!NIL_P(outer.tag)) return rb_exec_recursive_paired(within, object, paired, (VALUE)&outer);
    VALUE result = rb_ensure(run_outermost, (VALUE)&outer, leave_outermost, name);
    return result == outer.tag ? function(object, argument, 1) : result;
}

VALUE rb_exec_recursive_outer(VALUE (*function)(VALUE, VALUE, int), VALUE object, VALUE argument)
{
    return rb_exec_recursive_paired_outer(function, object, Qundef, argument);
}

/* -- arrays, hashes, numbers --------------------------------------------------------------------------------- */

/* An Array of its own with the same elements, whatever the class is. */
VALUE rb_ary_resurrect(VALUE array)
{
    return rb_ary_new_from_values(RARRAY_LEN(array), RARRAY_CONST_PTR(array));
}

void rb_hash_bulk_insert_into_st_table(long n, const VALUE *pairs, VALUE hash)
{
    rb_hash_bulk_insert(n, pairs, hash);
}

VALUE rb_enum_values_pack_kw(int argc, const VALUE *argv, int keywords)
{
    return rb_enum_values_pack(argc, argv);
}

VALUE rb_big_clone(VALUE number)
{
    return number;
}

unsigned short rb_fix2ushort(VALUE number)
{
    return rb_num2ushort(number);
}

/* Between 0 and 1, of 53 bits; with 1, unless it is excluded. */
double rb_int_pair_to_real(uint32_t a, uint32_t b, int excluded)
{
    if (excluded) return ((double)(a >> 5) * 67108864.0 + (double)(b >> 6)) / 9007199254740992.0;
    unsigned __int128 bits = ((unsigned __int128)a << 32) | b;
    const uint64_t steps = ((uint64_t)1 << 53) + 1;
    uint64_t m = (uint64_t)((bits * steps) >> 64);
    return ldexp((double)m, -53);
}

/* -- variables and constants ----------------------------------------------------------------------------------- */

VALUE rb_f_trace_var(int argc, const VALUE *argv)
{
    return rb_funcall_passing_block(rb_mKernel, (rb_intern)("trace_var"), argc, argv);
}

VALUE rb_f_untrace_var(int argc, const VALUE *argv)
{
    return rb_funcallv(rb_mKernel, (rb_intern)("untrace_var"), argc, argv);
}

void rb_clear_constant_cache_for_id(ID name)
{
}

/* -- words, arguments, streams ----------------------------------------------------------------------------------- */

/* The words between blanks and commas; their ends are told, too. */
void ruby_each_words(const char *text, void (*function)(const char *, int, void *), void *arg)
{
    while (*(text += strspn(text, " \t\n\v\f\r,"))) {
        size_t n = strcspn(text, " \t\n\v\f\r,");
        function(text, (int)n, arg);
        text += n;
    }
}

void ruby_set_argv(int argc, char **argv)
{
    VALUE list = rb_get_argv();
    rb_ary_clear(list);
    for (int i = 0; i < argc; i++) rb_ary_push(list, rb_obj_freeze(rb_external_str_new_cstr(argv[i])));
}

void rb_write_error2(const char *text, long len)
{
    rb_io_write(rb_gv_get("$stderr"), rb_str_new(text, len));
}

void rb_write_error(const char *text)
{
    rb_write_error2(text, (long)strlen(text));
}

int rb_fd_select(int n, rb_fdset_t *readers, rb_fdset_t *writers, rb_fdset_t *others, struct timeval *timeout)
{
    return select(n, readers ? readers->fdset : 0, writers ? writers->fdset : 0, others ? others->fdset : 0, timeout);
}

FILE *rb_fdopen(int fd, const char *mode)
{
    FILE *stream = fdopen(fd, mode);
    if (!stream) rb_sys_fail(0);
    return stream;
}

/* Those from `low` on that the Hash does not name are closed when another program takes this process over. */
void rb_close_before_exec(int low, int hint, VALUE kept)
{
    DIR *open = opendir("/proc/self/fd");
    if (!open) return;
    for (struct dirent *entry; (entry = readdir(open));) {
        int fd = ISDIGIT(*entry->d_name) ? atoi(entry->d_name) : -1;
        bool stays = fd < low || (!NIL_P(kept) && RTEST(rb_hash_lookup(kept, INT2FIX(fd))));
        if (!stays) fcntl(fd, F_SETFD, fcntl(fd, F_GETFD) | FD_CLOEXEC);
    }
    closedir(open);
}

/* -- processes and threads ----------------------------------------------------------------------------------------- */

VALUE rb_f_exec(int argc, const VALUE *argv)
{
    return rb_funcallv_kw(rb_mKernel, (rb_intern)("exec"), argc, argv, argc > 0 && RB_TYPE_P(argv[argc - 1], T_HASH));
}

static VALUE run_instead(VALUE command)
{
    return rb_f_exec(1, &command);
}

/* Comes back only when it has failed, with -1 and `errno`. */
int rb_proc_exec(const char *command)
{
    int state;
    rb_protect(run_instead, rb_str_new_cstr(command), &state);
    VALUE error = rb_errinfo();
    if (!RTEST(rb_obj_is_kind_of(error, rb_eSystemCallError))) rb_jump_tag(state);
    rb_set_errinfo(Qnil);
    errno = NUM2INT(SEND(error, "errno"));
    return -1;
}

void ruby_default_signal(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

void rb_thread_atfork_before_exec(void)
{
}

/* Every thread has a native thread of its own. */
bool rb_thread_lock_native_thread(void)
{
    return false;
}

bool ruby_free_at_exit_p(void)
{
    return false;
}

void ruby_malloc_add_size_overflow(size_t a, size_t b)
{
    rb_raise(rb_eArgError, "malloc: possible integer overflow (%"PRIuSIZE"+%"PRIuSIZE")", a, b);
}

/* -- what has had a meaning ---------------------------------------------------------------------------------- */

void rb_check_safe_str(VALUE text)
{
    Check_Type(text, T_STRING);
}

void rb_debug_rstring_null_ptr(const char *function)
{
    rb_raise(rb_eRuntimeError, "%s is returning NULL!!", function);
}

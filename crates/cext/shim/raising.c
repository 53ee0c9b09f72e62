/* Exceptions that C code raises, and warnings. */
#include "rbl.h"
#include <errno.h>
#include <stdatomic.h>

/* -- raising ----------------------------------------------------------------------------------- */

void rb_exc_raise(VALUE exception)
{
    static ID id;
    if (!id) id = rb_intern2("raise", 5);
    rbl_c_exc_raise(exception, rb_mKernel, id, 0);
    rbl_jump();
}

static RBL_NORETURN void raise_message(VALUE class, VALUE message)
{
    rb_exc_raise(rb_exc_new_str(class, message));
}

#define MESSAGE(fmt) \
    va_list ap; \
    va_start(ap, fmt); \
    VALUE message = rb_vsprintf(fmt, ap); \
    va_end(ap)

void rb_raise(VALUE class, const char *fmt, ...)
{
    MESSAGE(fmt);
    raise_message(class, message);
}

void rb_enc_raise(rb_encoding *enc, VALUE class, const char *fmt, ...)
{
    MESSAGE(fmt);
    rb_enc_associate(message, enc);
    raise_message(class, message);
}

void rb_fatal(const char *fmt, ...)
{
    MESSAGE(fmt);
    raise_message(rb_eFatal, message);
}

void rb_loaderror(const char *fmt, ...)
{
    MESSAGE(fmt);
    raise_message(rb_eLoadError, message);
}

void rb_loaderror_with_path(VALUE path, const char *fmt, ...)
{
    MESSAGE(fmt);
    VALUE error = rb_exc_new_str(rb_eLoadError, message);
    rb_ivar_set(error, (rb_intern)("@path"), path);
    rb_exc_raise(error);
}

void rb_name_error(ID name, const char *fmt, ...)
{
    MESSAGE(fmt);
    VALUE args[2] = {message, ID2SYM(name)};
    rb_exc_raise(rb_class_new_instance(2, args, rb_eNameError));
}

void rb_name_error_str(VALUE name, const char *fmt, ...)
{
    MESSAGE(fmt);
    VALUE args[2] = {message, name};
    rb_exc_raise(rb_class_new_instance(2, args, rb_eNameError));
}

void rb_frozen_error_raise(VALUE object, const char *fmt, ...)
{
    MESSAGE(fmt);
    VALUE options = rb_hash_new();
    rb_hash_aset(options, ID2SYM((rb_intern)("receiver")), object);
    VALUE args[2] = {message, options};
    rb_exc_raise(rb_class_new_instance_kw(2, args, rb_eFrozenError, RB_PASS_KEYWORDS));
}

void rb_key_err_raise(VALUE message, VALUE receiver, VALUE key)
{
    VALUE options = rb_hash_new();
    rb_hash_aset(options, ID2SYM((rb_intern)("receiver")), receiver);
    rb_hash_aset(options, ID2SYM((rb_intern)("key")), key);
    VALUE args[2] = {message, options};
    rb_exc_raise(rb_class_new_instance_kw(2, args, rb_eKeyError, RB_PASS_KEYWORDS));
}

void rb_error_frozen(const char *what)
{
    rb_raise(rb_eFrozenError, "can't modify frozen %s", what);
}

void rb_error_frozen_object(VALUE object)
{
    rbl_raise_frozen(object);
    rbl_jump();
}

void rb_bug(const char *fmt, ...)
{
    char message[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    rbl_c_bug(message);
    abort();
}

/* What extensions add to the report of a crash. */
static struct reporter {
    void (*function)(FILE *, void *);
    void *data;
} reporters[32];
static atomic_size_t reporter_count;

int rb_bug_reporter_add(void (*function)(FILE *, void *), void *data)
{
    size_t at = reporter_count;
    if (at == sizeof reporters / sizeof *reporters) return 0;
    reporters[at] = (struct reporter){function, data};
    reporter_count = at + 1;
    return 1;
}

void rbl_c_additions(int descriptor)
{
    size_t count = reporter_count;
    if (count == 0) return;
    FILE *out = fdopen(dup(descriptor), "w");
    if (!out) return;
    for (size_t i = 0; i < count; i++) reporters[i].function(out, reporters[i].data);
    fclose(out);
}

void rb_bug_errno(const char *what, int error)
{
    if (error == 0) rb_bug("%s: errno == 0 (NOERROR)", what);
    const char *name = strerrorname_np(error);
    if (name) rb_bug("%s: %s (%s)", what, strerror(error), name);
    rb_bug("%s: %s (%d)", what, strerror(error), error);
}

void rb_assert_failure_detail(const char *file, int line, const char *function, const char *condition, const char *fmt,
    ...)
{
    fprintf(stderr, "%s:%d: Assertion Failed: ", file, line);
    if (function) fprintf(stderr, "%s:", function);
    fputs(condition, stderr);
    if (fmt && *fmt) {
        va_list ap;
        va_start(ap, fmt);
        fputs(": ", stderr);
        vfprintf(stderr, fmt, ap);
        va_end(ap);
    }
    fputc('\n', stderr);
    abort();
}

void rb_assert_failure(const char *file, int line, const char *function, const char *condition)
{
    rb_assert_failure_detail(file, line, function, condition, 0);
}

VALUE rb_syserr_new(int error, const char *what)
{
    return rb_syserr_new_str(error, what ? rb_external_str_new_cstr(what) : Qnil);
}

VALUE rb_syserr_new_str(int error, VALUE what)
{
    VALUE args[2] = {what, INT2NUM(error)};
    return rb_class_new_instance(2, args, rb_eSystemCallError);
}

void rb_syserr_fail(int error, const char *what)
{
    rb_exc_raise(rb_syserr_new(error, what));
}

void rb_syserr_fail_str(int error, VALUE what)
{
    rb_exc_raise(rb_syserr_new_str(error, what));
}

void rb_sys_fail(const char *what)
{
    int error = errno;
    errno = 0;
    if (error == 0) rb_bug("rb_sys_fail(%s) - errno == 0", what ? what : "");
    rb_syserr_fail(error, what);
}

void rb_sys_fail_str(VALUE what)
{
    int error = errno;
    errno = 0;
    if (error == 0) rb_bug("rb_sys_fail_str - errno == 0");
    rb_syserr_fail_str(error, what);
}

void rb_mod_syserr_fail_str(VALUE module, int error, VALUE what)
{
    VALUE exception = rb_syserr_new_str(error, what);
    rb_extend_object(exception, module);
    rb_exc_raise(exception);
}

void rb_mod_syserr_fail(VALUE module, int error, const char *what)
{
    rb_mod_syserr_fail_str(module, error, what ? rb_external_str_new_cstr(what) : Qnil);
}

void rb_mod_sys_fail(VALUE module, const char *what)
{
    rb_mod_syserr_fail(module, errno, what);
}

void rb_mod_sys_fail_str(VALUE module, VALUE what)
{
    rb_mod_syserr_fail_str(module, errno, what);
}

void rb_readwrite_syserr_fail(enum rb_io_wait_readwrite waiting, int error, const char *what)
{
    const char *kind = waiting == RB_IO_WAIT_WRITABLE ? "WaitWritable" : "WaitReadable";
    char name[64];
    const char *base = error == EAGAIN ? "EAGAIN" : error == EINPROGRESS ? "EINPROGRESS" : 0;
    if (!base) rb_mod_syserr_fail(waiting == RB_IO_WAIT_WRITABLE ? rb_mWaitWritable : rb_mWaitReadable, error, what);
    snprintf(name, sizeof name, "%s%s", base, kind);
    VALUE message = what ? rb_str_new_cstr(what) : Qnil;
    rb_exc_raise(rb_class_new_instance(NIL_P(message) ? 0 : 1, &message, rb_const_get(rb_cIO, (rb_intern)(name))));
}

void rb_readwrite_sys_fail(enum rb_io_wait_readwrite waiting, const char *what)
{
    rb_readwrite_syserr_fail(waiting, errno, what);
}

void rb_memerror(void)
{
    raise_message(rb_eNoMemError, rb_str_new_cstr("failed to allocate memory"));
}

void rb_eof_error(void)
{
    raise_message(rb_eEOFError, rb_str_new_cstr("end of file reached"));
}

void rb_num_zerodiv(void)
{
    raise_message(rb_eZeroDivError, rb_str_new_cstr("divided by 0"));
}

void rb_notimplement(void)
{
    rb_raise(rb_eNotImpError, "%"PRIsVALUE"() function is unimplemented on this machine",
        rb_id2str(rb_frame_this_func()));
}

VALUE rb_f_notimplement(int argc, const VALUE *argv, VALUE self, VALUE marker)
{
    (void)argc, (void)argv, (void)self, (void)marker;
    rb_notimplement();
}

void rb_error_arity(int argc, int min, int max)
{
    rbl_raise_arity(argc, min, max);
    rbl_jump();
}

void rb_out_of_int(SIGNED_VALUE n)
{
    rb_raise(rb_eRangeError, "integer %ld too %s to convert to 'int'", (long)n, n < 0 ? "small" : "big");
}

void rb_cmperr(VALUE a, VALUE b)
{
    if (SPECIAL_CONST_P(b) || RB_FLOAT_TYPE_P(b))
        rb_raise(rb_eArgError, "comparison of %"PRIsVALUE" with %"PRIsVALUE" failed", rb_obj_class(a), rb_inspect(b));
    rb_raise(rb_eArgError, "comparison of %"PRIsVALUE" with %"PRIsVALUE" failed", rb_obj_class(a), rb_obj_class(b));
}

void rb_iter_break(void)
{
    rb_iter_break_value(Qnil);
}

void rb_invalid_str(const char *str, const char *type)
{
    rb_raise(rb_eArgError, "invalid value for %s: %"PRIsVALUE, type, rb_inspect(rb_str_new_cstr(str)));
}

void rb_exit(int status)
{
    VALUE args[1] = {INT2NUM(status)};
    rb_funcallv(rb_mKernel, (rb_intern)("exit"), 1, args);
    UNREACHABLE;
}

void rb_interrupt(void)
{
    raise_message(rb_eInterrupt, rb_str_new_cstr(""));
}

/* -- warnings ---------------------------------------------------------------------------------- */

void rb_warn(const char *fmt, ...)
{
    if (NIL_P(ruby_verbose)) return;
    MESSAGE(fmt);
    rbl_c_warn(message);
}

void rb_warning(const char *fmt, ...)
{
    if (!RTEST(ruby_verbose)) return;
    MESSAGE(fmt);
    rbl_c_warn(message);
}

static bool is_silent(rb_warning_category_t category)
{
    return category != RB_WARN_CATEGORY_NONE && !rb_warning_category_enabled_p(category);
}

void rb_category_warn(rb_warning_category_t category, const char *fmt, ...)
{
    if (NIL_P(ruby_verbose) || is_silent(category)) return;
    MESSAGE(fmt);
    rbl_c_warn(message);
}

void rb_category_warning(rb_warning_category_t category, const char *fmt, ...)
{
    if (!RTEST(ruby_verbose) || is_silent(category)) return;
    MESSAGE(fmt);
    rbl_c_warn(message);
}

void rb_sys_warning(const char *fmt, ...)
{
    int error = errno;
    if (!RTEST(ruby_verbose)) return;
    MESSAGE(fmt);
    rb_str_catf(message, ": %s", strerror(error));
    rbl_c_warn(message);
}

static void warn_about(const char *file, int line, VALUE message)
{
    SEND(rb_mKernel, "warn", rb_sprintf("%s:%d: warning: %"PRIsVALUE, file, line, message));
}

void rb_sys_warn(const char *fmt, ...)
{
    int error = errno;
    if (NIL_P(ruby_verbose)) return;
    MESSAGE(fmt);
    rb_str_catf(message, ": %s", strerror(error));
    rbl_c_warn(message);
}

void rb_compile_warn(const char *file, int line, const char *fmt, ...)
{
    if (NIL_P(ruby_verbose)) return;
    MESSAGE(fmt);
    warn_about(file, line, message);
}

void rb_compile_warning(const char *file, int line, const char *fmt, ...)
{
    if (!RTEST(ruby_verbose)) return;
    MESSAGE(fmt);
    warn_about(file, line, message);
}

void rb_category_compile_warn(rb_warning_category_t category, const char *file, int line, const char *fmt, ...)
{
    if (NIL_P(ruby_verbose) || is_silent(category)) return;
    MESSAGE(fmt);
    warn_about(file, line, message);
}

bool rb_warning_category_enabled_p(rb_warning_category_t category)
{
    static const char *const names[] = {"", "deprecated", "experimental", "performance", "strict_unused_block"};
    if (category <= RB_WARN_CATEGORY_NONE || category > RB_WARN_CATEGORY_STRICT_UNUSED_BLOCK) return false;
    VALUE warning = rb_const_get(rb_cObject, (rb_intern)("Warning"));
    return RTEST(rb_funcall(warning, (rb_intern)("[]"), 1, ID2SYM((rb_intern)(names[category]))));
}

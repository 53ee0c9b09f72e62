/* Processes, files, loading; helpers of util.h. */
#include "rbl.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>

/* -- processes, files ---------------------------------------------------------------------------------- */

VALUE rb_last_status_get(void)
{
    return rb_gv_get("$?");
}

VALUE rb_process_status_wait(pid_t pid, int flags)
{
    return OWN(rb_path2class("Process::Status"), "wait", INT2NUM(pid), INT2NUM(flags));
}

pid_t rb_waitpid(pid_t pid, int *status, int flags)
{
    VALUE found = OWN(rb_mProcess, "wait", INT2NUM(pid), INT2NUM(flags));
    if (NIL_P(found)) return 0;
    if (status) *status = NUM2INT(OWN(rb_last_status_get(), "to_i"));
    return NUM2INT(found);
}

VALUE rb_detach_process(pid_t pid)
{
    return OWN(rb_mProcess, "detach", INT2NUM(pid));
}

VALUE rb_f_kill(int argc, const VALUE *argv)
{
    return rb_funcallv(rb_mProcess, (rb_intern)("kill"), argc, argv);
}

VALUE rb_f_abort(int argc, const VALUE *argv)
{
    return rb_funcallv(rb_mKernel, (rb_intern)("abort"), argc, argv);
}

VALUE rb_f_exit(int argc, const VALUE *argv)
{
    return rb_funcallv(rb_mKernel, (rb_intern)("exit"), argc, argv);
}

VALUE rb_proc_times(VALUE object)
{
    return OWN(rb_mProcess, "times");
}

void rb_p(VALUE value)
{
    OWN(rb_mKernel, "p", value);
}

VALUE rb_require(const char *name)
{
    return OWN(rb_mKernel, "require", rb_str_new_cstr(name));
}

VALUE rb_f_require(VALUE self, VALUE name)
{
    return OWN(rb_mKernel, "require", name);
}

VALUE rb_require_string(VALUE name)
{
    return OWN(rb_mKernel, "require", name);
}

VALUE rb_load(VALUE path, int wrap)
{
    return OWN(rb_mKernel, "load", path, wrap ? Qtrue : Qfalse);
}

static VALUE load_path(VALUE args)
{
    return rb_load(RARRAY_AREF(args, 0), RTEST(RARRAY_AREF(args, 1)));
}

void rb_load_protect(VALUE path, int wrap, int *state)
{
    rb_protect(load_path, rb_ary_new_from_args(2, path, wrap ? Qtrue : Qfalse), state);
}

int rb_provided(const char *feature)
{
    VALUE list = rb_gv_get("$LOADED_FEATURES");
    VALUE name = rb_str_new_cstr(feature);
    if (RTEST(rb_ary_includes(list, name))) return 1;
    return RTEST(rb_ary_includes(list, rb_str_plus(name, rb_str_new_cstr(".rb"))))
        || RTEST(rb_ary_includes(list, rb_str_plus(name, rb_str_new_cstr(".so"))));
}

void rb_provide(const char *feature)
{
    rb_ary_push(rb_gv_get("$LOADED_FEATURES"), rb_str_new_cstr(feature));
}

VALUE rb_marshal_dump(VALUE value, VALUE io)
{
    if (!NIL_P(io) && (!rb_respond_to(io, (rb_intern)("write")))) rb_raise(rb_eTypeError, "instance of IO needed");
    return NIL_P(io) ? OWN(CONSTANT("Marshal"), "dump", value) : OWN(CONSTANT("Marshal"), "dump", value, io);
}

VALUE rb_marshal_load(VALUE source)
{
    return OWN(CONSTANT("Marshal"), "load", source);
}

VALUE rb_get_path(VALUE value)
{
    static ID id;
    if (!RB_TYPE_P(value, T_STRING)) {
        if (!id) id = (rb_intern)("to_path");
        VALUE path = rb_check_funcall(value, id, 0, 0);
        if (path != Qundef) value = path;
    }
    StringValue(value);
    StringValueCStr(value);
    return value;
}

VALUE rb_file_open(const char *path, const char *mode)
{
    return OWN(rb_cFile, "open", rb_str_new_cstr(path), rb_str_new_cstr(mode));
}

VALUE rb_file_open_str(VALUE path, const char *mode)
{
    return OWN(rb_cFile, "open", path, rb_str_new_cstr(mode));
}

VALUE rb_file_expand_path(VALUE path, VALUE dir)
{
    return OWN(rb_cFile, "expand_path", path, dir);
}

VALUE rb_file_absolute_path(VALUE path, VALUE dir)
{
    return OWN(rb_cFile, "absolute_path", path, dir);
}

VALUE rb_file_s_expand_path(int argc, const VALUE *argv)
{
    return rb_funcallv(rb_cFile, (rb_intern)("expand_path"), argc, argv);
}

VALUE rb_file_s_absolute_path(int argc, const VALUE *argv)
{
    return rb_funcallv(rb_cFile, (rb_intern)("absolute_path"), argc, argv);
}

/* The first argument is the receiver of the method that CRuby's is the function of; nothing looks at it. */
VALUE rb_file_directory_p(VALUE receiver, VALUE path)
{
    (void)receiver;
    return OWN(rb_cFile, "directory?", path);
}

VALUE rb_file_dirname(VALUE path)
{
    return OWN(rb_cFile, "dirname", path);
}

off_t rb_file_size(VALUE file)
{
    return NUM2OFFT(OWN(file, "size"));
}

VALUE rb_dir_getwd(void)
{
    return OWN(rb_cDir, "pwd");
}

VALUE rb_gets(void)
{
    return OWN(rb_mKernel, "gets");
}

VALUE rb_get_argv(void)
{
    return CONSTANT("ARGV");
}

void ruby_script(const char *name)
{
    rb_gv_set("$0", rb_str_new_cstr(name));
}

void ruby_setproctitle(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    VALUE title = rb_vsprintf(fmt, ap);
    va_end(ap);
    OWN(rb_mProcess, "setproctitle", title);
}

int ruby_native_thread_p(void)
{
    return rbl_self.now.ctx != 0 || rbl_self.region != 0 || rbl_self.home != 0;
}

int ruby_stack_check(void)
{
    return 0;
}

/* -- helpers of util.h --------------------------------------------------------------------------------- */

char *ruby_strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(ruby_xmalloc(n), text, n);
}

char *ruby_getcwd(void)
{
    char *path = getcwd(0, 0);
    if (!path) rb_sys_fail("getcwd");
    return path;
}

/* The powers of ten that a double has exactly. */
static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Without the infinities and NaN of the C library. Up to 15 digits are a double exactly, and so is such a
 * power of ten: their quotient is the nearest double. */
double ruby_strtod(const char *text, char **end)
{
    const char *p = text;
    char *stop = (char *)text;
    uint64_t digits = 0;
    int count = 0, behind = 0;
    while (rb_isspace(*p)) p++;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    const char *first = p;
    for (; rb_isdigit(*p); p++)
        if ((count || *p != '0') && ++count <= 15) digits = digits * 10 + (uint64_t)(*p - '0');
    bool hexadecimal = p == first + 1 && *first == '0' && rb_tolower(*p) == 'x';
    if (*p == '.' && (p > first || rb_isdigit(p[1]))) {
        for (p++; rb_isdigit(*p); p++, behind++)
            if ((count || *p != '0') && ++count <= 15) digits = digits * 10 + (uint64_t)(*p - '0');
    }
    double value = 0;
    if (p == first) {
        p = text;
    } else if (count <= 15 && behind <= 22 && rb_tolower(*p) != 'e' && !hexadecimal) {
        value = (double)digits / tens[behind];
        if (negative) value = -value;
    } else {
        value = (strtod)(text, &stop);
        p = stop;
    }
    if (end) *end = (char *)p;
    return value;
}

unsigned long ruby_strtoul(const char *text, char **end, int base)
{
    return (strtoul)(text, end, base);
}

unsigned long ruby_scan_oct(const char *start, size_t len, size_t *used)
{
    const char *p = start;
    unsigned long n = 0;
    while (len-- && *p >= '0' && *p <= '7') n = n << 3 | (unsigned long)(*p++ - '0');
    *used = (size_t)(p - start);
    return n;
}

unsigned long ruby_scan_hex(const char *start, size_t len, size_t *used)
{
    const char *p = start;
    unsigned long n = 0;
    while (len-- && ISXDIGIT(*p)) n = n << 4 | (unsigned long)ruby_digit36_to_number_table[(unsigned char)*p++];
    *used = (size_t)(p - start);
    return n;
}

unsigned long ruby_scan_digits(const char *text, ssize_t len, int base, size_t *used, int *overflow)
{
    const char *start = text;
    unsigned long n = 0;
    *overflow = 0;
    for (; len != 0; len--, text++) {
        int digit = ruby_digit36_to_number_table[(unsigned char)*text];
        if (digit < 0 || digit >= base) break;
        unsigned long next;
        if (__builtin_mul_overflow(n, (unsigned long)base, &next)
            || __builtin_add_overflow(next, (unsigned long)digit, &next))
            *overflow = 1;
        n = n * (unsigned long)base + (unsigned long)digit;
    }
    *used = (size_t)(text - start);
    return n;
}

void ruby_setenv(const char *name, const char *value)
{
    if (rbl_c_set_variable(name, value, 0)) rbl_jump();
}

void ruby_unsetenv(const char *name)
{
    ruby_setenv(name, 0);
}

/* -- of other systems' C libraries ------------------------------------------------------------------------- */

/* Copies what there is room for, with a NUL; gives the length of the source. */
size_t ruby_strlcpy(char *target, const char *source, size_t room)
{
    size_t len = strlen(source);
    if (room > 0) {
        size_t count = len < room ? len : room - 1;
        memcpy(target, source, count);
        target[count] = '\0';
    }
    return len;
}

/* Appends what there is room for; gives the length that all of it would have. */
size_t ruby_strlcat(char *target, const char *source, size_t room)
{
    size_t len = strnlen(target, room);
    return len + ruby_strlcpy(target + len, source, room - len);
}

/* What few extensions call, and no other file has a place for. */
#include "rbl.h"
#include <errno.h>

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
    return RTEST(rb_obj_is_kind_of(object, rb_cNumeric)) ? rb_check_convert_type(object, T_FLOAT, "Float", "to_f") : Qnil;
}

void rb_check_inheritable(VALUE super)
{
    if (!RB_TYPE_P(super, T_CLASS)) rb_raise(rb_eTypeError, "superclass must be an instance of Class (given an instance of %"PRIsVALUE")", rb_obj_class(super));
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
    return rb_funcallv_kw(rb_mProcess, (rb_intern)("spawn"), s->argc, s->argv, s->argc > 0 && RB_TYPE_P(s->argv[s->argc - 1], T_HASH));
}

/* The new process, or -1 with `errno` and the message of what failed. Other exceptions than those of the system go on. */
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

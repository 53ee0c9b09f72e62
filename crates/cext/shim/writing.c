/* Writing to whatever has `write`. These are what IO's methods of the same names are made of, and classes that are no
 * IO define theirs with them: so nothing here may call those methods. */
#include "rbl.h"

VALUE rb_io_write(VALUE io, VALUE text)
{
    return SEND(io, "write", text);
}

VALUE rb_io_addstr(VALUE io, VALUE value)
{
    rb_io_write(io, value);
    return io;
}

VALUE rb_io_print(int argc, const VALUE *argv, VALUE io)
{
    VALUE last = argc ? Qnil : rb_lastline_get(), between = rb_gv_get("$,"), behind = rb_gv_get("$\\");
    if (!argc) {
        argc = 1;
        argv = &last;
    }
    for (int i = 0; i < argc; i++) {
        if (i && !NIL_P(between)) rb_io_write(io, between);
        rb_io_write(io, argv[i]);
    }
    if (!NIL_P(behind)) rb_io_write(io, behind);
    return Qnil;
}

VALUE rb_io_printf(int argc, const VALUE *argv, VALUE io)
{
    rb_io_write(io, rb_f_sprintf(argc, argv));
    return Qnil;
}

static VALUE put_each(VALUE list, VALUE io, int again)
{
    if (again) {
        VALUE dots = rb_str_new_cstr("[...]");
        return rb_io_puts(1, &dots, io);
    }
    for (long i = 0; i < RARRAY_LEN(list); i++) {
        VALUE item = RARRAY_AREF(list, i);
        rb_io_puts(1, &item, io);
    }
    return Qtrue;
}

static int ends_with_newline(VALUE line, VALUE newline)
{
    rb_encoding *encoding = rb_enc_get(line);
    if (!rb_enc_asciicompat(encoding)) newline = rb_str_encode(newline, rb_enc_from_encoding(encoding), 0, Qnil);
    long len = RSTRING_LEN(newline), at = RSTRING_LEN(line) - len;
    return at >= 0 && !memcmp(RSTRING_PTR(line) + at, RSTRING_PTR(newline), (size_t)len);
}

VALUE rb_io_puts(int argc, const VALUE *argv, VALUE io)
{
    VALUE newline = rb_str_new_cstr("\n");
    if (!argc) rb_io_write(io, newline);
    for (int i = 0; i < argc; i++) {
        VALUE list = RB_TYPE_P(argv[i], T_STRING) ? Qnil : rb_check_array_type(argv[i]);
        if (!NIL_P(list)) {
            rb_exec_recursive(put_each, list, io);
            continue;
        }
        VALUE line = rb_obj_as_string(argv[i]);
        int ended = ends_with_newline(line, newline);
        VALUE parts[2] = {line, newline};
        if (ended || !RSTRING_LEN(line)) {
            rb_io_write(io, ended ? line : newline);
        } else if (RB_TYPE_P(io, T_FILE)) {
            rb_funcallv(io, (rb_intern)("write"), 2, parts);
        } else {
            rb_io_write(io, line);
            rb_io_write(io, newline);
        }
    }
    return Qnil;
}

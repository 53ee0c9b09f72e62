/* Constants and variables of the interface. */
#include "rbl.h"

#define CLASS(variable, path) VALUE variable;
#include "classes.def"
#undef CLASS
VALUE rb_stdin, rb_stdout, rb_stderr, rb_fs, rb_rs, rb_default_rs, rb_output_rs, rb_output_fs, rb_argv0;
/* A class without instances: the messages of NameErrors are Strings. */
VALUE rb_cNameErrorMesg;
VALUE rb_eEAGAIN, rb_eEWOULDBLOCK, rb_eEINPROGRESS;
const char ruby_hexdigits[] = "0123456789abcdef0123456789ABCDEF";
const signed char ruby_digit36_to_number_table[] = {
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1, -1, -1, -1, -1,
    -1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
    25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, -1, -1, -1, -1, -1,
    -1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
    25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
};
const int ruby_api_version[3] = {RUBY_API_VERSION_MAJOR, RUBY_API_VERSION_MINOR, RUBY_API_VERSION_TEENY};
const char ruby_version[] = "4.0.0";
const char ruby_release_date[] = "2025-12-25";
const char ruby_platform[] = RUBY_PLATFORM;
const char ruby_description[] = "rubellite";
const char ruby_copyright[] = "";
const char ruby_engine[] = "rubellite";
const int ruby_patchlevel = 0;
const struct rb_ractor_local_storage_type rb_ractor_local_storage_type_free = {0, free};

/* Fills the variables above; called once, when a VM takes on extensions. */
static void fill(VALUE *variable, VALUE value)
{
    *variable = value;
    rb_gc_register_address(variable);
}

VALUE rbl_c_fill(VALUE fatal)
{
    rbl_name_states();
#define CLASS(variable, path) \
    if (strcmp(path, "fatal") != 0) fill(&variable, rb_path2class(path));
#include "classes.def"
#undef CLASS
    fill(&rb_eFatal, fatal);
    fill(&rb_stdin, rb_gv_get("$stdin"));
    fill(&rb_stdout, rb_gv_get("$stdout"));
    fill(&rb_stderr, rb_gv_get("$stderr"));
    fill(&rb_fs, rb_gv_get("$;"));
    fill(&rb_rs, rb_gv_get("$/"));
    fill(&rb_default_rs, rb_gv_get("$/"));
    fill(&rb_output_rs, rb_gv_get("$\\"));
    fill(&rb_output_fs, rb_gv_get("$,"));
    fill(&rb_argv0, rb_gv_get("$0"));
    fill(&rb_cNameErrorMesg, rb_class_new(rb_cObject));
    fill(&rb_eEAGAIN, rb_path2class("Errno::EAGAIN"));
    fill(&rb_eEWOULDBLOCK, rb_path2class("Errno::EWOULDBLOCK"));
    fill(&rb_eEINPROGRESS, rb_path2class("Errno::EINPROGRESS"));
    return Qnil;
}

VALUE *rb_current_global_ptr(int which)
{
    static const struct {
        VALUE *variable;
        const char *name;
    } globals[] = {
        {&rb_stdin, "$stdin"}, {&rb_stdout, "$stdout"}, {&rb_stderr, "$stderr"},
        {&rb_fs, "$;"}, {&rb_rs, "$/"}, {&rb_output_rs, "$\\"}, {&rb_output_fs, "$,"},
    };
    *globals[which].variable = rb_gv_get(globals[which].name);
    return globals[which].variable;
}

static VALUE verbose_copy, debug_copy;

VALUE *rb_ruby_verbose_ptr(void)
{
    if (rbl_verbose_get(0, &verbose_copy)) rbl_jump();
    return &verbose_copy;
}

VALUE *rb_ruby_debug_ptr(void)
{
    if (rbl_verbose_get(1, &debug_copy)) rbl_jump();
    return &debug_copy;
}

void rbl_c_warn(VALUE message)
{
    if (rbl_warn_message(message, 0)) rbl_jump();
}

int rbl_type(VALUE value)
{
    return rb_type(value);
}

int rbl_type_of_data(VALUE value)
{
    int io = 0;
    if (rbl_is_io(value, &io)) rbl_jump();
    return io ? RUBY_T_FILE : RUBY_T_DATA;
}

/* Functions of CRuby's headers that hardly anybody calls. */
#include "rbl.h"

VALUE rb_reg_alloc(void)
{
    return OWN(rb_cRegexp, "allocate");
}

VALUE rb_reg_init_str(VALUE regexp, VALUE source, int options)
{
    OWN(regexp, "initialize", source, INT2NUM(options & 7));
    return regexp;
}

VALUE rb_tracearg_instruction_sequence(rb_trace_arg_t *arg)
{
    return OWN((VALUE)arg, "instruction_sequence");
}

int rb_char_to_option_kcode(int c, int *option, int *kcode)
{
    enum { FIXED = 16, NONE = 32 };
    *option = FIXED;
    switch (c) {
      case 'n': *kcode = rb_ascii8bit_encindex(); return *option = NONE;
      case 'e': *kcode = rb_enc_find_index("EUC-JP"); return 1;
      case 's': *kcode = rb_enc_find_index("Windows-31J"); return 1;
      case 'u': *kcode = rb_utf8_encindex(); return 1;
      default: break;
    }
    *kcode = -1;
    return *option = c == 'i' ? ONIG_OPTION_IGNORECASE
        : c == 'x' ? ONIG_OPTION_EXTEND
        : c == 'm' ? ONIG_OPTION_MULTILINE
        : 0;
}

VALUE rb_search_class_path(VALUE class)
{
    return rb_class_path(class);
}

void rb_set_class_path(VALUE class, VALUE outer, const char *name)
{
    rb_set_class_path_string(class, outer, rb_str_new_cstr(name));
}

size_t ruby_stack_length(VALUE **end)
{
    /* CRuby counts from where the thread began. */
    pthread_attr_t attributes;
    void *low = 0;
    size_t size = 0;
    char here;
    if (end) *end = (VALUE *)&here;
    if (pthread_getattr_np(pthread_self(), &attributes)) return 0;
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    uintptr_t top = (uintptr_t)low + size, at = (uintptr_t)&here;
    return at >= (uintptr_t)low && at < top ? (top - at) / sizeof(VALUE) : 0;
}

void ruby_set_script_name(VALUE name)
{
    ruby_script(StringValueCStr(name));
}

void ruby_show_version(void)
{
    VALUE text = rb_const_get(rb_cObject, (rb_intern)("RUBY_DESCRIPTION"));
    printf("%s\n", StringValueCStr(text));
    fflush(stdout);
}

void ruby_show_copyright(void)
{
    VALUE text = rb_const_get(rb_cObject, (rb_intern)("RUBY_COPYRIGHT"));
    printf("%s\n", StringValueCStr(text));
    fflush(stdout);
}

/* Functions that are little more than a call of a method, and constants. */
#include "rbl.h"
#include <dirent.h>
#include <fcntl.h>
#include <errno.h>
#include <glob.h>

/* Calls a method by its name, which is looked up once. */
#define SEND(receiver, name, ...) \
    __extension__ ({ \
        static ID send_id; \
        if (!send_id) send_id = rb_intern2(name, (long)strlen(name)); \
        VALUE send_args[] = {0, ##__VA_ARGS__}; \
        rb_funcallv((receiver), send_id, (int)(sizeof send_args / sizeof *send_args) - 1, send_args + 1); \
    })
#define CONSTANT(name) rb_const_get(rb_cObject, rb_intern2(name, (long)strlen(name)))

/* -- constants ----------------------------------------------------------------------------------- */

#define CLASS(variable, path) VALUE variable;
#include "classes.def"
#undef CLASS
VALUE rb_stdin, rb_stdout, rb_stderr, rb_fs, rb_rs, rb_default_rs, rb_output_rs, rb_output_fs, rb_argv0;
VALUE rb_eEAGAIN, rb_eEWOULDBLOCK, rb_eEINPROGRESS;
const char ruby_hexdigits[] = "0123456789abcdef0123456789ABCDEF";
const signed char ruby_digit36_to_number_table[] = {
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1, -1, -1, -1, -1,
    -1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, -1, -1, -1, -1, -1,
    -1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
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
    } globals[] = {{&rb_stdin, "$stdin"}, {&rb_stdout, "$stdout"}, {&rb_stderr, "$stderr"}, {&rb_fs, "$;"}, {&rb_rs, "$/"}, {&rb_output_rs, "$\\"}, {&rb_output_fs, "$,"}};
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

/* -- memory -------------------------------------------------------------------------------------- */

void *ruby_xmalloc(size_t size)
{
    if ((ssize_t)size < 0) rb_raise(rb_eNoMemError, "failed to allocate memory");
    void *p = malloc(size ? size : 1);
    if (!p) rb_memerror();
    rbl_note_memory((ssize_t)size);
    return p;
}

static size_t product(size_t n, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(n, size, &total)) ruby_malloc_size_overflow(n, size);
    return total;
}

void *ruby_xmalloc2(size_t n, size_t size)
{
    return ruby_xmalloc(product(n, size));
}

void *ruby_xcalloc(size_t n, size_t size)
{
    size_t total = product(n, size);
    void *p = calloc(1, total ? total : 1);
    if (!p) rb_memerror();
    rbl_note_memory((ssize_t)total);
    return p;
}

void *ruby_xrealloc(void *old, size_t size)
{
    if ((ssize_t)size < 0) rb_raise(rb_eNoMemError, "failed to allocate memory");
    void *p = realloc(old, size ? size : 1);
    if (!p) rb_memerror();
    if (!old) rbl_note_memory((ssize_t)size);
    return p;
}

void *ruby_xrealloc2(void *old, size_t n, size_t size)
{
    return ruby_xrealloc(old, product(n, size));
}

void ruby_xfree(void *p)
{
    free(p);
}

void ruby_malloc_size_overflow(size_t n, size_t size)
{
    rb_raise(rb_eArgError, "malloc: possible integer overflow (%"PRIuSIZE"*%"PRIuSIZE")", n, size);
}

/* A buffer is a hidden Array, which the collector frees when nobody refers to it any more. */
void *rb_alloc_tmp_buffer(volatile VALUE *store, long len)
{
    if (len < 0) rb_raise(rb_eArgError, "negative buffer size (or size too big)");
    VALUE holder = rb_ary_hidden_new(len / (long)sizeof(VALUE) + 1);
    rb_ary_resize(holder, len / (long)sizeof(VALUE) + 1);
    *store = holder;
    return rb_ary_writable_ptr(holder);
}

void *rb_alloc_tmp_buffer_with_count(volatile VALUE *store, size_t size, size_t count)
{
    return rb_alloc_tmp_buffer(store, (long)size);
}

void rb_free_tmp_buffer(volatile VALUE *store)
{
    *store = 0;
}

void rb_mem_clear(VALUE *p, long n)
{
    for (; n > 0; n--) *p++ = Qnil;
}

/* -- arrays and hashes ----------------------------------------------------------------------------- */

VALUE rb_ary_aref(int argc, const VALUE *argv, VALUE ary)
{
    return rb_funcallv(ary, (rb_intern)("[]"), argc, argv);
}

VALUE rb_ary_delete_at(VALUE ary, long at)
{
    return SEND(ary, "delete_at", LONG2NUM(at));
}

VALUE rb_ary_rotate(VALUE ary, long n)
{
    return SEND(ary, "rotate!", LONG2NUM(n));
}

VALUE rb_ary_to_ary(VALUE object)
{
    VALUE list = rb_check_array_type(object);
    return NIL_P(list) ? rb_ary_new_from_args(1, object) : list;
}

VALUE rb_ary_each(VALUE ary)
{
    return rb_funcall_passing_block(ary, (rb_intern)("each"), 0, 0);
}

VALUE rb_each(VALUE object)
{
    return rb_funcall_passing_block(object, (rb_intern)("each"), 0, 0);
}

VALUE rb_hash_delete_if(VALUE table)
{
    return rb_funcall_passing_block(table, (rb_intern)("delete_if"), 0, 0);
}

VALUE rb_hash(VALUE object)
{
    VALUE hash = SEND(object, "hash");
    if (FIXNUM_P(hash)) return hash;
    if (!RB_TYPE_P(hash, T_BIGNUM)) hash = rb_to_int(hash);
    if (!RB_TYPE_P(hash, T_BIGNUM)) return hash;
    VALUE bits = SEND(hash, "&", ULONG2NUM(ULONG_MAX));
    return LONG2FIX((long)NUM2ULONG(bits));
}

VALUE rb_set_add(VALUE set, VALUE item)
{
    return NIL_P(SEND(set, "add?", item)) ? Qfalse : Qtrue;
}

VALUE rb_class_inherited_p(VALUE a, VALUE b)
{
    if (a == b) return Qtrue;
    if (!RB_TYPE_P(b, T_CLASS) && !RB_TYPE_P(b, T_MODULE)) rb_raise(rb_eTypeError, "compared with non class/module");
    return SEND(a, "<=", b);
}

VALUE rb_get_values_at(VALUE object, long len, int argc, const VALUE *argv, VALUE (*function)(VALUE, long))
{
    VALUE out = rb_ary_new_capa(argc);
    for (int i = 0; i < argc; i++) {
        long begin, n;
        if (FIXNUM_P(argv[i])) {
            rb_ary_push(out, function(object, FIX2LONG(argv[i])));
        } else if (RTEST(rb_range_beg_len(argv[i], &begin, &n, len, 1))) {
            for (long j = 0; j < n; j++) rb_ary_push(out, function(object, begin + j));
        } else {
            rb_ary_push(out, function(object, NUM2LONG(argv[i])));
        }
    }
    return out;
}

VALUE rb_ary_shared_with_p(VALUE a, VALUE b)
{
    return Qfalse;
}

struct update_by {
    VALUE table;
    VALUE (*function)(VALUE, VALUE, VALUE);
};

static int update_entry(VALUE key, VALUE value, VALUE arg)
{
    struct update_by *by = (struct update_by *)arg;
    if (by->function) {
        VALUE old = rb_hash_lookup2(by->table, key, Qundef);
        if (old != Qundef) value = by->function(key, old, value);
    }
    rb_hash_aset(by->table, key, value);
    return ST_CONTINUE;
}

VALUE rb_hash_update_by(VALUE a, VALUE b, VALUE (*function)(VALUE, VALUE, VALUE))
{
    struct update_by by = {a, function};
    rb_hash_foreach(b, update_entry, (VALUE)&by);
    return a;
}

VALUE rb_env_clear(void)
{
    return SEND(CONSTANT("ENV"), "clear");
}

VALUE rb_set_new(void)
{
    return rb_class_new_instance(0, 0, rb_cSet);
}

VALUE rb_set_new_capa(size_t capacity)
{
    return rb_set_new();
}

bool rb_set_lookup(VALUE set, VALUE item)
{
    return RTEST(SEND(set, "include?", item));
}

bool rb_set_delete(VALUE set, VALUE item)
{
    return !NIL_P(SEND(set, "delete?", item));
}

size_t rb_set_size(VALUE set)
{
    return NUM2SIZET(SEND(set, "size"));
}

void rb_set_foreach(VALUE set, int (*function)(VALUE, VALUE), VALUE arg)
{
    VALUE items = SEND(set, "to_a");
    for (long i = 0; i < RARRAY_LEN(items); i++) {
        VALUE item = RARRAY_AREF(items, i);
        switch (function(item, arg)) {
          case ST_STOP: return;
          case ST_DELETE: SEND(set, "delete", item);
        }
    }
}

/* -- strings --------------------------------------------------------------------------------------- */

VALUE rb_str_new_static(const char *ptr, long len)
{
    return rb_str_new(ptr, len);
}

VALUE rb_usascii_str_new_static(const char *ptr, long len)
{
    return rb_usascii_str_new(ptr, len);
}

VALUE rb_utf8_str_new_static(const char *ptr, long len)
{
    return rb_utf8_str_new(ptr, len);
}

VALUE rb_str_buf_new_cstr(const char *ptr)
{
    VALUE str = rb_str_buf_new((long)strlen(ptr));
    return rb_str_cat_cstr(str, ptr);
}

#undef rb_str_buf_cat
VALUE rb_str_buf_cat(VALUE str, const char *ptr, long len)
{
    return rb_str_cat(str, ptr, len);
}

#undef rb_str_buf_cat2
VALUE rb_str_buf_cat2(VALUE str, const char *ptr)
{
    return rb_str_cat_cstr(str, ptr);
}

#undef rb_str_cat2
VALUE rb_str_cat2(VALUE str, const char *ptr)
{
    return rb_str_cat_cstr(str, ptr);
}

VALUE rb_str_buf_cat_ascii(VALUE str, const char *ptr)
{
    return rb_str_append(str, rb_usascii_str_new_cstr(ptr));
}

#undef rb_str_dup_frozen
VALUE rb_str_dup_frozen(VALUE str)
{
    return rb_str_new_frozen(str);
}

VALUE rb_str_freeze(VALUE str)
{
    return rb_obj_freeze(str);
}

VALUE rb_str_to_interned_str(VALUE str)
{
    return SEND(str, "-@");
}

VALUE rb_str_equal(VALUE a, VALUE b)
{
    if (a == b) return Qtrue;
    if (!RB_TYPE_P(b, T_STRING)) return rb_respond_to(b, (rb_intern)("to_str")) ? RTEST(SEND(b, "==", a)) ? Qtrue : Qfalse : Qfalse;
    return RTEST(SEND(a, "==", b)) ? Qtrue : Qfalse;
}

VALUE rb_str_substr(VALUE str, long begin, long len)
{
    return SEND(str, "[]", LONG2NUM(begin), LONG2NUM(len));
}

VALUE rb_str_split(VALUE str, const char *separator)
{
    return SEND(str, "split", rb_str_new_cstr(separator));
}

VALUE rb_str_ellipsize(VALUE str, long len)
{
    if (len < 0) rb_raise(rb_eIndexError, "negative length %ld", len);
    if (rb_str_strlen(str) <= len) return str;
    if (len <= 3) return rb_str_substr(rb_str_new_cstr("..."), 0, len);
    return rb_str_append(rb_str_substr(str, 0, len - 3), rb_str_new_cstr("..."));
}

VALUE rb_str_scrub(VALUE str, VALUE replacement)
{
    if (RTEST(SEND(str, "valid_encoding?"))) return Qnil;
    return NIL_P(replacement) ? SEND(str, "scrub") : SEND(str, "scrub", replacement);
}

void rb_str_shared_replace(VALUE a, VALUE b)
{
    if (a != b) rb_str_replace(a, b);
}

VALUE rb_str_setbyte(VALUE str, VALUE at, VALUE byte)
{
    return SEND(str, "setbyte", at, byte);
}

long rb_str_offset(VALUE str, long pos)
{
    return rb_enc_nth(RSTRING_PTR(str), RSTRING_END(str), pos, rb_enc_get(str)) - RSTRING_PTR(str);
}

long rb_str_sublen(VALUE str, long pos)
{
    return rb_enc_strlen(RSTRING_PTR(str), RSTRING_PTR(str) + pos, rb_enc_get(str));
}

char *rb_str_subpos(VALUE str, long begin, long *lenp)
{
    long len = *lenp, total = rb_str_strlen(str);
    if (len < 0 || begin > total) return 0;
    if (begin < 0 && (begin += total) < 0) return 0;
    if (len > total - begin) len = total - begin;
    rb_encoding *enc = rb_enc_get(str);
    char *start = rb_enc_nth(RSTRING_PTR(str), RSTRING_END(str), begin, enc);
    char *end = rb_enc_nth(start, RSTRING_END(str), len, enc);
    *lenp = end - start;
    return start;
}

int rb_str_comparable(VALUE a, VALUE b)
{
    return rb_enc_compatible(a, b) != 0 || RSTRING_LEN(a) == 0 || RSTRING_LEN(b) == 0;
}

void rb_must_asciicompat(VALUE str)
{
    if (!rb_enc_asciicompat(rb_enc_get(str))) rb_raise(rb_eEncCompatError, "ASCII incompatible encoding: %s", rb_enc_name(rb_enc_get(str)));
}

VALUE rb_str_export(VALUE str)
{
    return rb_str_export_to_enc(str, rb_default_external_encoding());
}

VALUE rb_str_export_locale(VALUE str)
{
    return rb_str_export_to_enc(str, rb_locale_encoding());
}

VALUE rb_str_export_to_enc(VALUE str, rb_encoding *enc)
{
    return rb_str_conv_enc(str, rb_enc_get(str), enc);
}

VALUE rb_str_encode_ospath(VALUE str)
{
    return str;
}

VALUE rb_f_sprintf(int argc, const VALUE *argv)
{
    return rb_str_format(argc - 1, argv + 1, argv[0]);
}

VALUE rb_str_format(int argc, const VALUE *argv, VALUE fmt)
{
    return SEND(fmt, "%", rb_ary_new_from_values(argc, argv));
}

st_index_t rb_hash_start(st_index_t h)
{
    return h + 0x9e3779b9;
}

st_index_t rb_memhash(const void *p, long len)
{
    return rb_st_hash(p, (size_t)len, 0x5bd1e995);
}

int rb_memcicmp(const void *a, const void *b, long len)
{
    const unsigned char *p = a, *q = b;
    for (; len > 0; len--, p++, q++) {
        int difference = TOLOWER(*p) - TOLOWER(*q);
        if (difference) return difference;
    }
    return 0;
}

VALUE rb_sym_all_symbols(void)
{
    return SEND(rb_cSymbol, "all_symbols");
}

VALUE rb_sym_interned_p(VALUE str)
{
    return rb_check_id(&str) ? Qtrue : Qfalse;
}

VALUE rb_check_symbol(volatile VALUE *name)
{
    ID id = rb_check_id(name);
    return id ? ID2SYM(id) : Qnil;
}

ID rb_id_attrset(ID id)
{
    return rb_to_id(rb_sprintf("%"PRIsVALUE"=", rb_id2str(id)));
}

/* What the name of an ID begins with. */
static int name_begins(ID id, int (*is)(int), const char *prefix)
{
    const char *name = rb_id2name(id);
    if (!name) return 0;
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 && (is(name[n]) || (name[n] == '_' && is != rb_isupper));
}

static int is_letter(int c)
{
    return rb_isalpha(c) || (c & 0x80);
}

int rb_is_const_id(ID id)
{
    const char *name = rb_id2name(id);
    return name_begins(id, rb_isupper, "") && !strpbrk(name, "?!=");
}

int rb_is_instance_id(ID id)
{
    return name_begins(id, is_letter, "@") && !strpbrk(rb_id2name(id), "?!=");
}

int rb_is_class_id(ID id)
{
    return name_begins(id, is_letter, "@@") && !strpbrk(rb_id2name(id), "?!=");
}

int rb_is_global_id(ID id)
{
    const char *name = rb_id2name(id);
    return name && name[0] == '$';
}

int rb_is_attrset_id(ID id)
{
    const char *name = rb_id2name(id);
    size_t n = name ? strlen(name) : 0;
    return n > 1 && name[n - 1] == '=' && is_letter(name[0]);
}

int rb_is_local_id(ID id)
{
    const char *name = rb_id2name(id);
    return name && (rb_islower(name[0]) || name[0] == '_') && !strpbrk(name, "?!=");
}

/* -- objects ----------------------------------------------------------------------------------------- */

VALUE rb_obj_init_copy(VALUE object, VALUE original)
{
    if (object == original) return object;
    rb_check_frozen(object);
    if (TYPE(object) != TYPE(original) || rb_obj_class(object) != rb_obj_class(original))
        rb_raise(rb_eTypeError, "initialize_copy should take same class object");
    return object;
}

void rb_check_copyable(VALUE object, VALUE original)
{
    rb_check_frozen(object);
}

VALUE rb_obj_taint(VALUE object)
{
    return object;
}

VALUE rb_obj_untaint(VALUE object)
{
    return object;
}

VALUE rb_obj_singleton_methods(int argc, const VALUE *argv, VALUE object)
{
    return rb_funcallv(object, (rb_intern)("singleton_methods"), argc, argv);
}

VALUE rb_obj_setup(VALUE object, VALUE class, VALUE type)
{
    return rb_obj_reveal(object, class);
}

int rb_obj_method_arity(VALUE object, ID id)
{
    return NUM2INT(SEND(SEND(object, "method", ID2SYM(id)), "arity"));
}

int rb_mod_method_arity(VALUE module, ID id)
{
    return NUM2INT(SEND(SEND(module, "instance_method", ID2SYM(id)), "arity"));
}

VALUE rb_class_name(VALUE class)
{
    return rb_class_path(rb_class_real(class));
}

VALUE rb_class_path(VALUE class)
{
    return SEND(class, "to_s");
}

VALUE rb_class_path_cached(VALUE class)
{
    return SEND(class, "name");
}

static VALUE instance_methods(int argc, const VALUE *argv, VALUE class, const char *name)
{
    return rb_funcallv(class, (rb_intern)(name), argc, argv);
}

VALUE rb_class_instance_methods(int argc, const VALUE *argv, VALUE class)
{
    return instance_methods(argc, argv, class, "instance_methods");
}

VALUE rb_class_public_instance_methods(int argc, const VALUE *argv, VALUE class)
{
    return instance_methods(argc, argv, class, "public_instance_methods");
}

VALUE rb_class_private_instance_methods(int argc, const VALUE *argv, VALUE class)
{
    return instance_methods(argc, argv, class, "private_instance_methods");
}

VALUE rb_class_protected_instance_methods(int argc, const VALUE *argv, VALUE class)
{
    return instance_methods(argc, argv, class, "protected_instance_methods");
}

VALUE rb_mod_constants(int argc, const VALUE *argv, VALUE module)
{
    return rb_funcallv(module, (rb_intern)("constants"), argc, argv);
}

VALUE rb_mod_class_variables(int argc, const VALUE *argv, VALUE module)
{
    return rb_funcallv(module, (rb_intern)("class_variables"), argc, argv);
}

VALUE rb_mod_remove_const(VALUE module, VALUE name)
{
    return SEND(module, "remove_const", name);
}

VALUE rb_const_remove(VALUE module, ID name)
{
    return SEND(module, "remove_const", ID2SYM(name));
}

void rb_deprecate_constant(VALUE module, const char *name, ...)
{
    va_list ap;
    va_start(ap, name);
    for (; name; name = va_arg(ap, const char *)) SEND(module, "deprecate_constant", ID2SYM((rb_intern)(name)));
    va_end(ap);
}

VALUE rb_public_const_get(VALUE module, ID name)
{
    return rb_const_get(module, name);
}

VALUE rb_public_const_get_at(VALUE module, ID name)
{
    return rb_const_get_at(module, name);
}

VALUE rb_public_const_get_from(VALUE module, ID name)
{
    return rb_const_get_from(module, name);
}

int rb_public_const_defined(VALUE module, ID name)
{
    return rb_const_defined(module, name);
}

int rb_public_const_defined_at(VALUE module, ID name)
{
    return rb_const_defined_at(module, name);
}

int rb_public_const_defined_from(VALUE module, ID name)
{
    return rb_const_defined_from(module, name);
}

VALUE rb_f_global_variables(void)
{
    return SEND(rb_mKernel, "global_variables");
}

void rb_remove_method(VALUE class, const char *name)
{
    SEND(class, "remove_method", ID2SYM((rb_intern)(name)));
}

void rb_remove_method_id(VALUE class, ID name)
{
    SEND(class, "remove_method", ID2SYM(name));
}

VALUE rb_autoload_load(VALUE module, ID name)
{
    return rb_const_get_at(module, name);
}

VALUE rb_autoload_p(VALUE module, ID name)
{
    return SEND(module, "autoload?", ID2SYM(name));
}

VALUE rb_gvar_undef_getter(ID id, VALUE *data)
{
    return Qnil;
}

VALUE rb_gvar_val_getter(ID id, VALUE *data)
{
    return (VALUE)data;
}

VALUE rb_gvar_var_getter(ID id, VALUE *data)
{
    return data ? *data : Qnil;
}

void rb_gvar_undef_setter(VALUE value, ID id, VALUE *data)
{
    rb_raise(rb_eRuntimeError, "rb_gvar_undef_setter is not for use");
}

void rb_gvar_val_setter(VALUE value, ID id, VALUE *data)
{
}

void rb_gvar_var_setter(VALUE value, ID id, VALUE *data)
{
    if (data) *data = value;
}

void rb_gvar_readonly_setter(VALUE value, ID id, VALUE *data)
{
    rb_name_error(id, "%"PRIsVALUE" is a read-only variable", rb_id2str(id));
}

VALUE rb_exc_new(VALUE class, const char *text, long len)
{
    return rb_exc_new_str(class, rb_str_new(text, len));
}

VALUE rb_exc_new_cstr(VALUE class, const char *text)
{
    return rb_exc_new_str(class, rb_str_new_cstr(text));
}

VALUE rb_make_exception(int argc, const VALUE *argv)
{
    if (argc == 0 || (argc == 1 && NIL_P(argv[0]))) return Qnil;
    rb_check_arity(argc, 0, 3);
    if (argc == 1 && RB_TYPE_P(argv[0], T_STRING)) return rb_exc_new_str(rb_eRuntimeError, argv[0]);
    if (!rb_respond_to(argv[0], (rb_intern)("exception"))) rb_raise(rb_eTypeError, "exception class/object expected");
    VALUE error = rb_funcallv(argv[0], (rb_intern)("exception"), argc > 1 ? 1 : 0, argv + 1);
    if (!RTEST(rb_obj_is_kind_of(error, rb_eException))) rb_raise(rb_eTypeError, "exception object expected");
    if (argc > 2 && !NIL_P(argv[2])) SEND(error, "set_backtrace", argv[2]);
    return error;
}

VALUE rb_make_backtrace(void)
{
    return SEND(rb_mKernel, "caller", INT2FIX(0));
}

void rb_backtrace(void)
{
    VALUE list = rb_make_backtrace();
    for (long i = 0; i < RARRAY_LEN(list); i++) {
        VALUE line = RARRAY_AREF(list, i);
        fprintf(stderr, "\tfrom %s\n", StringValueCStr(line));
    }
}

static VALUE eval_source(VALUE source)
{
    return rb_eval_string((const char *)source);
}

VALUE rb_eval_string_protect(const char *source, int *state)
{
    return rb_protect(eval_source, (VALUE)source, state);
}

VALUE rb_eval_string_wrap(const char *source, int *state)
{
    return rb_eval_string_protect(source, state);
}

VALUE rb_eval_cmd_kw(VALUE command, VALUE args, int keywords)
{
    if (RB_TYPE_P(command, T_STRING)) {
        return rb_eval_string(StringValueCStr(command));
    }
    return rb_funcallv_kw(command, (rb_intern)("call"), (int)RARRAY_LEN(args), RARRAY_CONST_PTR(args), keywords);
}

VALUE rb_iterate(VALUE (*function)(VALUE), VALUE data, rb_block_call_func_t block, VALUE data2)
{
    VALUE proc = rb_proc_new(block, data2);
    VALUE saved = rbl_self.now.block;
    rbl_self.now.block = proc;
    VALUE out = Qnil;
    int failed = rbl_enter(function, data, &out);
    rbl_self.now.block = saved;
    if (failed) rbl_jump();
    return out;
}

VALUE rb_method_call(int argc, const VALUE *argv, VALUE method)
{
    return rb_funcallv(method, (rb_intern)("call"), argc, argv);
}

VALUE rb_method_call_kw(int argc, const VALUE *argv, VALUE method, int keywords)
{
    return rb_funcallv_kw(method, (rb_intern)("call"), argc, argv, keywords);
}

VALUE rb_method_call_with_block(int argc, const VALUE *argv, VALUE method, VALUE block)
{
    return rb_funcall_with_block(method, (rb_intern)("call"), argc, argv, block);
}

VALUE rb_method_call_with_block_kw(int argc, const VALUE *argv, VALUE method, VALUE block, int keywords)
{
    return rb_funcall_with_block_kw(method, (rb_intern)("call"), argc, argv, block, keywords);
}

VALUE rb_enum_values_pack(int argc, const VALUE *argv)
{
    if (argc == 0) return Qnil;
    if (argc == 1) return argv[0];
    return rb_ary_new_from_values(argc, argv);
}

/* -- conversions --------------------------------------------------------------------------------------- */

/* Converts by a method that must give the type. */
VALUE rb_convert_type(VALUE value, int type, const char *name, const char *method)
{
    if (TYPE(value) == type) return value;
    ID id = (rb_intern)(method);
    VALUE result = rb_check_funcall(value, id, 0, 0);
    const char *what = NIL_P(value) ? "nil" : value == Qtrue ? "true" : value == Qfalse ? "false" : rb_obj_classname(value);
    if (result == Qundef) {
        static const char *const implicit[] = {"to_int", "to_ary", "to_str", "to_sym", "to_hash", "to_proc", "to_io", 0};
        const char *verb = "can't convert %s into %s";
        for (int i = 0; implicit[i]; i++)
            if (strcmp(implicit[i], method) == 0) verb = "no implicit conversion of %s into %s";
        rb_raise(rb_eTypeError, verb, what, name);
    }
    if (TYPE(result) != type) rb_raise(rb_eTypeError, "can't convert %s to %s (%s#%s gives %s)", what, name, what, method, rb_obj_classname(result));
    return result;
}

VALUE rb_check_convert_type(VALUE value, int type, const char *name, const char *method)
{
    if (TYPE(value) == type && type != T_DATA) return value;
    VALUE result = rb_check_funcall(value, (rb_intern)(method), 0, 0);
    if (result == Qundef || NIL_P(result)) return Qnil;
    if (TYPE(result) != type) {
        const char *what = rb_obj_classname(value);
        rb_raise(rb_eTypeError, "can't convert %s to %s (%s#%s gives %s)", what, name, what, method, rb_obj_classname(result));
    }
    return result;
}

VALUE rb_check_to_integer(VALUE value, const char *method)
{
    if (RB_INTEGER_TYPE_P(value)) return value;
    VALUE result = rb_check_funcall(value, (rb_intern)(method), 0, 0);
    return result != Qundef && RB_INTEGER_TYPE_P(result) ? result : Qnil;
}

VALUE rb_Array(VALUE value)
{
    return SEND(rb_mKernel, "Array", value);
}

VALUE rb_Float(VALUE value)
{
    return SEND(rb_mKernel, "Float", value);
}

VALUE rb_Hash(VALUE value)
{
    return SEND(rb_mKernel, "Hash", value);
}

VALUE rb_Integer(VALUE value)
{
    return SEND(rb_mKernel, "Integer", value);
}

VALUE rb_String(VALUE value)
{
    return SEND(rb_mKernel, "String", value);
}

VALUE rb_Rational(VALUE a, VALUE b)
{
    return SEND(rb_mKernel, "Rational", a, b);
}

VALUE rb_Complex(VALUE a, VALUE b)
{
    return SEND(rb_mKernel, "Complex", a, b);
}

VALUE rb_to_float(VALUE value)
{
    if (RB_FLOAT_TYPE_P(value)) return value;
    if (!RTEST(rb_obj_is_kind_of(value, rb_cNumeric))) {
        const char *what = NIL_P(value) ? "nil" : value == Qtrue ? "true" : value == Qfalse ? "false" : rb_obj_classname(value);
        rb_raise(rb_eTypeError, "can't convert %s into Float", what);
    }
    return rb_float_new(rb_num2dbl(value));
}

VALUE rb_rational_new(VALUE a, VALUE b)
{
    return rb_Rational(a, b);
}

VALUE rb_rational_raw(VALUE a, VALUE b)
{
    return rb_Rational(a, b);
}

VALUE rb_flt_rationalize(VALUE f)
{
    return SEND(f, "rationalize");
}

VALUE rb_flt_rationalize_with_prec(VALUE f, VALUE precision)
{
    return SEND(f, "rationalize", precision);
}

VALUE rb_complex_new(VALUE a, VALUE b)
{
    return SEND(rb_cComplex, "rect", a, b);
}

VALUE rb_complex_raw(VALUE a, VALUE b)
{
    return SEND(rb_cComplex, "rect", a, b);
}

VALUE rb_complex_new_polar(VALUE a, VALUE b)
{
    return SEND(rb_cComplex, "polar", a, b);
}

VALUE rb_dbl_complex_new(double a, double b)
{
    return rb_complex_raw(DBL2NUM(a), DBL2NUM(b));
}

/* -- numbers --------------------------------------------------------------------------------------------- */

VALUE rb_cstr2inum(const char *text, int base)
{
    return rb_cstr_to_inum(text, base, base == 2);
}

VALUE rb_str2inum(VALUE text, int base)
{
    return rb_str_to_inum(text, base, base == 2);
}

double rb_cstr_to_dbl(const char *text, int strict)
{
    return rb_str_to_dbl(rb_str_new_cstr(text), strict);
}

double rb_str_to_dbl(VALUE text, int strict)
{
    return NUM2DBL(strict ? rb_Float(text) : SEND(text, "to_f"));
}

VALUE rb_big_norm(VALUE n)
{
    return n;
}

VALUE rb_num_coerce_bin(VALUE a, VALUE b, ID operator)
{
    VALUE pair = rb_check_funcall(b, (rb_intern)("coerce"), 1, &a);
    if (pair == Qundef) {
        VALUE what = SPECIAL_CONST_P(b) || RB_FLOAT_TYPE_P(b) ? rb_inspect(b) : rb_obj_class(b);
        rb_raise(rb_eTypeError, "%"PRIsVALUE" can't be coerced into %"PRIsVALUE, what, rb_obj_class(a));
    }
    if (!RB_TYPE_P(pair, T_ARRAY) || RARRAY_LEN(pair) != 2) rb_raise(rb_eTypeError, "coerce must return [x, y]");
    VALUE right = RARRAY_AREF(pair, 1);
    return rb_funcallv(RARRAY_AREF(pair, 0), operator, 1, &right);
}

static VALUE coerced(VALUE a, VALUE b, ID operator)
{
    VALUE pair = rb_check_funcall(b, (rb_intern)("coerce"), 1, &a);
    if (pair == Qundef || NIL_P(pair)) return Qnil;
    if (!RB_TYPE_P(pair, T_ARRAY) || RARRAY_LEN(pair) != 2) rb_raise(rb_eTypeError, "coerce must return [x, y]");
    VALUE right = RARRAY_AREF(pair, 1);
    return rb_funcallv(RARRAY_AREF(pair, 0), operator, 1, &right);
}

VALUE rb_num_coerce_cmp(VALUE a, VALUE b, ID operator)
{
    return coerced(a, b, operator);
}

VALUE rb_num_coerce_relop(VALUE a, VALUE b, ID operator)
{
    VALUE result = coerced(a, b, operator);
    if (NIL_P(result)) rb_cmperr(a, b);
    return result;
}

VALUE rb_num_coerce_bit(VALUE a, VALUE b, ID operator)
{
    return rb_num_coerce_bin(a, b, operator);
}

VALUE rb_int_positive_pow(long base, unsigned long exponent)
{
    return SEND(LONG2NUM(base), "**", ULONG2NUM(exponent));
}

int rb_float_cmp(VALUE a, VALUE b)
{
    return NUM2INT(SEND(a, "<=>", b));
}

/* The words of a number's magnitude, in a buffer of the caller's or one of `store`. */
static uint64_t *words_of(VALUE value, uint64_t *small, size_t room, size_t *count, int *negative, VALUE *store)
{
    if (rbl_int_words(value, small, room, negative, count)) rbl_jump();
    if (*count <= room) return small;
    size_t all = *count;
    uint64_t *large = rb_alloc_tmp_buffer(store, (long)(all * sizeof *large));
    if (rbl_int_words(value, large, all, negative, count)) rbl_jump();
    return large;
}

#define WORDS(value) \
    uint64_t small[8] = {0}; \
    size_t count; \
    int negative; \
    VALUE store = 0; \
    uint64_t *words = words_of((value), small, 8, &count, &negative, &store)

static size_t bits_of(const uint64_t *words, size_t count)
{
    return count == 0 ? 0 : count * 64 - (size_t)__builtin_clzll(words[count - 1]);
}

size_t rb_absint_size(VALUE value, int *leading_zero_bits)
{
    WORDS(rb_to_int(value));
    size_t bits = bits_of(words, count), bytes = (bits + 7) / 8;
    if (leading_zero_bits) *leading_zero_bits = (int)(bytes * 8 - bits);
    if (store) RB_ALLOCV_END(store);
    return bytes;
}

size_t rb_absint_numwords(VALUE value, size_t word_bits, size_t *leading_zero_bits)
{
    WORDS(rb_to_int(value));
    size_t bits = bits_of(words, count), n = (bits + word_bits - 1) / word_bits;
    if (leading_zero_bits) *leading_zero_bits = n * word_bits - bits;
    if (store) RB_ALLOCV_END(store);
    return n;
}

int rb_absint_singlebit_p(VALUE value)
{
    WORDS(rb_to_int(value));
    int ones = 0;
    for (size_t i = 0; i < count; i++) ones += __builtin_popcountll(words[i]);
    if (store) RB_ALLOCV_END(store);
    return ones == 1;
}

static bool least_word_first(int flags)
{
    return flags & INTEGER_PACK_LSWORD_FIRST;
}

static bool least_byte_first(int flags)
{
    if (flags & INTEGER_PACK_NATIVE_BYTE_ORDER) return true;
    return flags & INTEGER_PACK_LSBYTE_FIRST;
}

static void check_pack(size_t numwords, size_t word_size, size_t nails, int flags)
{
    if (numwords > 1 && !(flags & (INTEGER_PACK_MSWORD_FIRST | INTEGER_PACK_LSWORD_FIRST))) rb_raise(rb_eArgError, "word order not specified");
    if ((flags & INTEGER_PACK_MSWORD_FIRST) && (flags & INTEGER_PACK_LSWORD_FIRST)) rb_raise(rb_eArgError, "unexpected word order");
    if (word_size > 1 && !(flags & (INTEGER_PACK_MSBYTE_FIRST | INTEGER_PACK_LSBYTE_FIRST | INTEGER_PACK_NATIVE_BYTE_ORDER))) rb_raise(rb_eArgError, "byte order not specified");
    if (word_size == 0) rb_raise(rb_eArgError, "invalid wordsize %"PRIuSIZE, word_size);
    if (word_size * CHAR_BIT <= nails) rb_raise(rb_eArgError, "invalid nails %"PRIuSIZE, nails);
}

int rb_integer_pack(VALUE value, void *target, size_t numwords, size_t word_size, size_t nails, int flags)
{
    check_pack(numwords, word_size, nails, flags);
    WORDS(rb_to_int(value));
    size_t word_bits = word_size * CHAR_BIT - nails, total = numwords * word_bits, bits = bits_of(words, count);
    int sign = count == 0 ? 0 : negative ? -1 : 1;
    bool complement = (flags & INTEGER_PACK_2COMP) && negative;
    unsigned char *out = target;
    int carry = 1;
    size_t at = 0;
    for (size_t w = 0; w < numwords; w++) {
        unsigned char *word = out + (least_word_first(flags) ? w : numwords - 1 - w) * word_size;
        memset(word, 0, word_size);
        for (size_t b = 0; b < word_bits; b++, at++) {
            int bit = at / 64 < count ? (int)(words[at / 64] >> (at % 64) & 1) : 0;
            if (complement) {
                bit = !bit + carry;
                carry = bit >> 1;
                bit &= 1;
            }
            size_t byte = b / 8;
            if (bit) word[least_byte_first(flags) ? byte : word_size - 1 - byte] |= (unsigned char)(1u << (b % 8));
        }
    }
    bool power = bits > 0;
    for (size_t i = 0; power && i < count; i++) power = words[i] == (i == count - 1 ? 1ull << ((bits - 1) % 64) : 0);
    if (store) RB_ALLOCV_END(store);
    if (bits > total) {
        /* -2^n fits into n bits as two's complement. */
        if (complement && power && bits == total + 1) return sign;
        return sign * 2;
    }
    return sign;
}

VALUE rb_integer_unpack(const void *source, size_t numwords, size_t word_size, size_t nails, int flags)
{
    check_pack(numwords, word_size, nails, flags);
    size_t word_bits = word_size * CHAR_BIT - nails, total = numwords * word_bits, count = (total + 63) / 64 + 1;
    VALUE store = 0;
    uint64_t *words = RB_ALLOCV_N(uint64_t, store, count);
    memset(words, 0, count * sizeof *words);
    const unsigned char *in = source;
    size_t at = 0;
    for (size_t w = 0; w < numwords; w++) {
        const unsigned char *word = in + (least_word_first(flags) ? w : numwords - 1 - w) * word_size;
        for (size_t b = 0; b < word_bits; b++, at++) {
            size_t byte = b / 8;
            int bit = word[least_byte_first(flags) ? byte : word_size - 1 - byte] >> (b % 8) & 1;
            if (bit) words[at / 64] |= 1ull << (at % 64);
        }
    }
    bool negative = flags & INTEGER_PACK_NEGATIVE;
    if (flags & INTEGER_PACK_2COMP) {
        bool top = total > 0 && (words[(total - 1) / 64] >> ((total - 1) % 64) & 1);
        if (top || negative) {
            negative = true;
            int carry = 1;
            bool zero = true;
            for (size_t i = 0; i < total; i++) zero = zero && !(words[i / 64] >> (i % 64) & 1);
            for (size_t i = 0; i < total; i++) {
                int bit = !(words[i / 64] >> (i % 64) & 1) + carry;
                carry = bit >> 1;
                if (bit & 1) words[i / 64] |= 1ull << (i % 64);
                else words[i / 64] &= ~(1ull << (i % 64));
            }
            if (zero && (flags & INTEGER_PACK_NEGATIVE)) words[total / 64] |= 1ull << (total % 64);
        }
    }
    VALUE out;
    if (rbl_int_from_words(words, count, negative, &out)) rbl_jump();
    RB_ALLOCV_END(store);
    return out;
}

void rb_big_pack(VALUE value, unsigned long *buffer, long n)
{
    rb_integer_pack(value, buffer, (size_t)n, sizeof *buffer, 0, INTEGER_PACK_LSWORD_FIRST | INTEGER_PACK_NATIVE_BYTE_ORDER | INTEGER_PACK_2COMP);
}

VALUE rb_big_unpack(unsigned long *buffer, long n)
{
    return rb_integer_unpack(buffer, (size_t)n, sizeof *buffer, 0, INTEGER_PACK_LSWORD_FIRST | INTEGER_PACK_NATIVE_BYTE_ORDER | INTEGER_PACK_2COMP);
}

int rb_uv_to_utf8(char *buffer, unsigned long code)
{
    if (code <= 0x7f) {
        buffer[0] = (char)code;
        return 1;
    }
    int n = code <= 0x7ff ? 2 : code <= 0xffff ? 3 : code <= 0x1fffff ? 4 : code <= 0x3ffffff ? 5 : code <= 0x7fffffff ? 6 : 0;
    if (n == 0) rb_raise(rb_eRangeError, "pack(U): value out of range");
    for (int i = n - 1; i > 0; i--, code >>= 6) buffer[i] = (char)(0x80 | (code & 0x3f));
    buffer[0] = (char)((0xff00 >> n & 0xff) | code);
    return n;
}

double rb_random_real(VALUE random)
{
    return NUM2DBL(SEND(random, "rand"));
}

unsigned int rb_random_int32(VALUE random)
{
    return NUM2UINT(SEND(random, "rand", ULONG2NUM(0x100000000ul)));
}

unsigned long rb_random_ulong_limited(VALUE random, unsigned long limit)
{
    if (limit == 0) return 0;
    VALUE count = SEND(ULONG2NUM(limit), "+", INT2FIX(1));
    return NUM2ULONG(SEND(random, "rand", count));
}

VALUE rb_random_bytes(VALUE random, long n)
{
    return SEND(random, "bytes", LONG2NUM(n));
}

double rb_genrand_real(void)
{
    return rb_random_real(rb_cRandom);
}

unsigned int rb_genrand_int32(void)
{
    return rb_random_int32(rb_cRandom);
}

unsigned long rb_genrand_ulong_limited(unsigned long limit)
{
    return rb_random_ulong_limited(rb_cRandom, limit);
}

void rb_reset_random_seed(void)
{
    SEND(rb_mKernel, "srand");
}

/* -- ranges, structs, enumerators -------------------------------------------------------------------------- */

VALUE rb_range_beg_len(VALUE range, long *begp, long *lenp, long len, int err)
{
    VALUE low, high;
    int exclusive;
    if (!rb_range_values(range, &low, &high, &exclusive)) return Qfalse;
    long begin = NIL_P(low) ? 0 : NUM2LONG(low), end = NIL_P(high) ? -1 : NUM2LONG(high), first = begin, last = end;
    if (NIL_P(high)) exclusive = 0;
    if (begin < 0 && (begin += len) < 0) goto out;
    if (end < 0) end += len;
    if (!exclusive) end++;
    if (err == 0 || err == 2) {
        if (begin > len) goto out;
        if (end > len) end = len;
    }
    len = end - begin;
    if (len < 0) len = 0;
    *begp = begin;
    *lenp = len;
    return Qtrue;
  out:
    if (err) rb_raise(rb_eRangeError, "%+"PRIsVALUE" out of range", range);
    (void)first, (void)last;
    return Qnil;
}

VALUE rb_struct_s_members(VALUE class)
{
    return SEND(class, "members");
}

VALUE rb_struct_getmember(VALUE object, ID name)
{
    return rb_struct_aref(object, ID2SYM(name));
}

VALUE rb_struct_alloc_noinit(VALUE class)
{
    return rb_obj_alloc(class);
}

VALUE rb_struct_alloc(VALUE class, VALUE values)
{
    return rb_class_new_instance((int)RARRAY_LEN(values), RARRAY_CONST_PTR(values), class);
}

VALUE rb_struct_initialize(VALUE object, VALUE values)
{
    if (!RTEST(rb_obj_is_kind_of(object, CONSTANT("Data")))) {
        rb_funcallv(object, (rb_intern)("initialize"), (int)RARRAY_LEN(values), RARRAY_CONST_PTR(values));
        return Qnil;
    }
    VALUE members = rb_struct_s_members(rb_obj_class(object)), options = rb_hash_new();
    if (RARRAY_LEN(values) > RARRAY_LEN(members)) rb_raise(rb_eArgError, "struct size differs");
    for (long i = 0; i < RARRAY_LEN(members); i++) rb_hash_aset(options, RARRAY_AREF(members, i), rb_ary_entry(values, i));
    rb_funcallv_kw(object, (rb_intern)("initialize"), 1, &options, RB_PASS_KEYWORDS);
    return Qnil;
}

/* The size of an enumerator by a C function. */
static VALUE enumerator_size(RB_BLOCK_CALL_FUNC_ARGLIST(yielded, words))
{
    rb_enumerator_size_func *function = (rb_enumerator_size_func *)NUM2ULONG(RARRAY_AREF(words, 0));
    return function(RARRAY_AREF(words, 1), RARRAY_AREF(words, 2), RARRAY_AREF(words, 3));
}

VALUE rb_enumeratorize_with_size_kw(VALUE object, VALUE method, int argc, const VALUE *argv, rb_enumerator_size_func *size, int keywords)
{
    VALUE args = rb_ary_new_from_args(1, method);
    rb_ary_cat(args, argv, argc);
    int n = (int)RARRAY_LEN(args);
    if (!size) return rb_funcallv_kw(object, (rb_intern)("enum_for"), n, RARRAY_CONST_PTR(args), keywords);
    VALUE words = rb_ary_new_from_args(4, ULONG2NUM((unsigned long)size), object, rb_ary_new_from_values(argc, argv), Qnil);
    VALUE block = rb_proc_new(enumerator_size, words);
    return rb_funcall_with_block_kw(object, (rb_intern)("enum_for"), n, RARRAY_CONST_PTR(args), block, keywords);
}

VALUE rb_enumeratorize_with_size(VALUE object, VALUE method, int argc, const VALUE *argv, rb_enumerator_size_func *size)
{
    return rb_enumeratorize_with_size_kw(object, method, argc, argv, size, rb_keyword_given_p());
}

VALUE rb_enumeratorize(VALUE object, VALUE method, int argc, const VALUE *argv)
{
    return rb_enumeratorize_with_size(object, method, argc, argv, 0);
}

int rb_arithmetic_sequence_extract(VALUE object, rb_arithmetic_sequence_components_t *out)
{
    VALUE class = rb_path2class("Enumerator::ArithmeticSequence");
    if (RTEST(rb_obj_is_kind_of(object, class))) {
        out->begin = SEND(object, "begin");
        out->end = SEND(object, "end");
        out->step = SEND(object, "step");
        out->exclude_end = RTEST(SEND(object, "exclude_end?"));
        return 1;
    }
    if (rb_range_values(object, &out->begin, &out->end, &out->exclude_end)) {
        out->step = INT2FIX(1);
        return 1;
    }
    return 0;
}

VALUE rb_arithmetic_sequence_beg_len_step(VALUE object, long *begp, long *lenp, long *stepp, long len, int err)
{
    rb_arithmetic_sequence_components_t c;
    if (!rb_arithmetic_sequence_extract(object, &c)) return Qfalse;
    long step = NIL_P(c.step) ? 1 : NUM2LONG(c.step);
    *stepp = step;
    if (step < 0) {
        VALUE swap = c.begin;
        c.begin = c.end;
        c.end = swap;
        if (c.exclude_end && !NIL_P(c.begin)) {
            c.begin = SEND(c.begin, "+", INT2FIX(1));
        }
        c.exclude_end = 0;
    }
    if (err == 0 && (step < -1 || step > 1)) {
        VALUE range = rb_range_new(c.begin, c.end, c.exclude_end);
        if (rb_range_beg_len(range, begp, lenp, len, 1) == Qtrue) {
            if (*begp > len) goto out;
            if (*lenp > len) goto out;
            return Qtrue;
        }
      out:
        rb_raise(rb_eRangeError, "%+"PRIsVALUE" out of range", object);
    }
    return rb_range_beg_len(rb_range_new(c.begin, c.end, c.exclude_end), begp, lenp, len, err);
}

/* -- time ---------------------------------------------------------------------------------------------------- */

VALUE rb_time_new(time_t seconds, long microseconds)
{
    return SEND(rb_cTime, "at", LONG2NUM(seconds), LONG2NUM(microseconds));
}

VALUE rb_time_nano_new(time_t seconds, long nanoseconds)
{
    return SEND(rb_cTime, "at", LONG2NUM(seconds), LONG2NUM(nanoseconds), ID2SYM((rb_intern)("nsec")));
}

VALUE rb_time_timespec_new(const struct timespec *ts, int offset)
{
    VALUE time = rb_time_nano_new(ts->tv_sec, ts->tv_nsec);
    if (offset == INT_MAX) return time;
    if (offset == INT_MAX - 1) return SEND(time, "utc");
    if (offset < -86399 || offset > 86399) rb_raise(rb_eArgError, "utc_offset out of range");
    return SEND(time, "localtime", INT2NUM(offset));
}

VALUE rb_time_num_new(VALUE value, VALUE offset)
{
    VALUE time = SEND(rb_cTime, "at", value);
    return NIL_P(offset) ? time : SEND(time, "localtime", offset);
}

/* A number of seconds, not negative, for intervals. */
static struct timespec seconds_of(VALUE value, bool interval)
{
    struct timespec ts;
    const char *what = interval ? "time interval" : "time";
    if (FIXNUM_P(value)) {
        ts.tv_sec = FIX2LONG(value);
        ts.tv_nsec = 0;
    } else if (RB_FLOAT_TYPE_P(value)) {
        double d = RFLOAT_VALUE(value), whole = floor(d);
        if (isnan(d) || isinf(d)) rb_raise(rb_eFloatDomainError, "%s", isnan(d) ? "NaN" : d < 0 ? "-Infinity" : "Infinity");
        if (fabs(whole) > 9.2e18) rb_raise(rb_eRangeError, "%f out of Time range", d);
        ts.tv_sec = (time_t)whole;
        ts.tv_nsec = (long)((d - whole) * 1e9);
    } else if (RB_TYPE_P(value, T_BIGNUM)) {
        ts.tv_sec = NUM2LONG(value);
        ts.tv_nsec = 0;
    } else if (rb_respond_to(value, (rb_intern)("divmod"))) {
        VALUE pair = SEND(value, "divmod", INT2FIX(1));
        pair = rb_check_array_type(pair);
        if (NIL_P(pair)) rb_raise(rb_eTypeError, "unexpected divmod result: into %s", rb_obj_classname(pair));
        ts.tv_sec = NUM2LONG(rb_ary_entry(pair, 0));
        ts.tv_nsec = NUM2LONG(SEND(SEND(rb_ary_entry(pair, 1), "*", INT2FIX(1000000000)), "to_i"));
    } else {
        rb_raise(rb_eTypeError, "can't convert %"PRIsVALUE" into %s", rb_obj_class(value), interval ? "time interval" : "exact number");
    }
    if (interval && (ts.tv_sec < 0 || (RB_FLOAT_TYPE_P(value) && RFLOAT_VALUE(value) < 0))) rb_raise(rb_eArgError, "%s must not be negative", what);
    return ts;
}

static struct timespec time_of(VALUE time)
{
    if (RTEST(rb_obj_is_kind_of(time, rb_cTime))) {
        struct timespec ts = {NUM2LONG(SEND(time, "to_i")), NUM2LONG(SEND(time, "nsec"))};
        return ts;
    }
    return seconds_of(time, false);
}

struct timespec rb_time_timespec(VALUE time)
{
    return time_of(time);
}

struct timeval rb_time_timeval(VALUE time)
{
    struct timespec ts = time_of(time);
    return (struct timeval){ts.tv_sec, ts.tv_nsec / 1000};
}

struct timeval rb_time_interval(VALUE value)
{
    if (RTEST(rb_obj_is_kind_of(value, rb_cTime))) rb_raise(rb_eTypeError, "can't convert Time into time interval");
    struct timespec ts = seconds_of(value, true);
    return (struct timeval){ts.tv_sec, ts.tv_nsec / 1000};
}

struct timespec rb_time_timespec_interval(VALUE value)
{
    return seconds_of(value, true);
}

void rb_timespec_now(struct timespec *ts)
{
    clock_gettime(CLOCK_REALTIME, ts);
}

/* -- regular expressions --------------------------------------------------------------------------------------- */

VALUE rb_reg_new(const char *source, long len, int options)
{
    return rb_reg_new_str(rb_str_new(source, len), options);
}

VALUE rb_reg_new_str(VALUE source, int options)
{
    VALUE text = source;
    if (rb_enc_get_index(text) == rb_ascii8bit_encindex() && rb_enc_str_asciionly_p(text)) {
        text = rb_str_dup(text);
        rb_enc_associate(text, rb_usascii_encoding());
    }
    return SEND(rb_cRegexp, "new", text, INT2NUM(options & 7));
}

VALUE rb_reg_regcomp(VALUE source)
{
    return rb_reg_new_str(source, 0);
}

VALUE rb_enc_reg_new(const char *source, long len, rb_encoding *enc, int options)
{
    return rb_reg_new_str(rb_enc_str_new(source, len, enc), options);
}

VALUE rb_reg_quote(VALUE text)
{
    return SEND(rb_cRegexp, "escape", text);
}

VALUE rb_reg_source(VALUE regexp)
{
    return SEND(regexp, "source");
}

int rb_reg_options(VALUE regexp)
{
    return NUM2INT(SEND(regexp, "options"));
}

VALUE rb_reg_nth_match(int n, VALUE match)
{
    return NIL_P(match) ? Qnil : SEND(match, "[]", INT2NUM(n));
}

VALUE rb_reg_nth_defined(int n, VALUE match)
{
    if (NIL_P(match)) return Qnil;
    VALUE begin = n < NUM2INT(SEND(match, "size")) ? SEND(match, "begin", INT2NUM(n)) : Qnil;
    return NIL_P(begin) ? Qfalse : Qtrue;
}

VALUE rb_reg_last_match(VALUE match)
{
    return rb_reg_nth_match(0, match);
}

VALUE rb_reg_match_last(VALUE match)
{
    if (NIL_P(match)) return Qnil;
    VALUE captures = SEND(match, "captures");
    for (long i = RARRAY_LEN(captures) - 1; i >= 0; i--)
        if (!NIL_P(RARRAY_AREF(captures, i))) return RARRAY_AREF(captures, i);
    return Qnil;
}

VALUE rb_reg_match2(VALUE regexp)
{
    return SEND(regexp, "~");
}

int rb_reg_backref_number(VALUE match, VALUE name)
{
    if (FIXNUM_P(name)) return FIX2INT(name);
    VALUE names = SEND(SEND(match, "regexp"), "named_captures");
    VALUE numbers = rb_hash_aref(names, rb_String(name));
    if (NIL_P(numbers)) rb_raise(rb_eIndexError, "undefined group name reference: %"PRIsVALUE, name);
    return NUM2INT(rb_ary_entry(numbers, -1));
}

long rb_reg_search(VALUE regexp, VALUE str, long pos, int backwards)
{
    if (pos < 0 || pos > RSTRING_LEN(str)) {
        rb_backref_set(Qnil);
        return -1;
    }
    VALUE found = backwards ? SEND(str, "byterindex", regexp, LONG2NUM(pos)) : SEND(str, "byteindex", regexp, LONG2NUM(pos));
    if (NIL_P(found)) {
        rb_backref_set(Qnil);
        return -1;
    }
    rb_backref_set(SEND(rb_cRegexp, "last_match"));
    return NUM2LONG(found);
}

bool rb_reg_start_with_p(VALUE regexp, VALUE str)
{
    return RTEST(SEND(str, "start_with?", regexp));
}

void rb_match_busy(VALUE match)
{
}

long rb_memsearch(const void *pattern, long m, const void *text, long n, rb_encoding *enc)
{
    if (m > n) return -1;
    if (m == 0) return 0;
    const char *found = memmem(text, (size_t)n, pattern, (size_t)m);
    return found ? found - (const char *)text : -1;
}

/* -- encodings ------------------------------------------------------------------------------------------------- */

VALUE rb_enc_str_new(const char *ptr, long len, rb_encoding *enc)
{
    VALUE out;
    if (rbl_str_new_index(ptr, len, rb_enc_to_index(enc), &out)) rbl_jump();
    return out;
}

VALUE rb_enc_str_new_cstr(const char *ptr, rb_encoding *enc)
{
    if (!ptr) rb_raise(rb_eArgError, "NULL pointer given");
    if (rb_enc_mbminlen(enc) != 1) rb_raise(rb_eArgError, "wide char encoding: %s", rb_enc_name(enc));
    return rb_enc_str_new(ptr, (long)strlen(ptr), enc);
}

VALUE rb_enc_str_new_static(const char *ptr, long len, rb_encoding *enc)
{
    return rb_enc_str_new(ptr, len, enc);
}

VALUE rb_enc_interned_str(const char *ptr, long len, rb_encoding *enc)
{
    VALUE out;
    if (rbl_str_interned_index(ptr, len, enc ? rb_enc_to_index(enc) : rb_ascii8bit_encindex(), &out)) rbl_jump();
    return out;
}

VALUE rb_enc_interned_str_cstr(const char *ptr, rb_encoding *enc)
{
    return rb_enc_interned_str(ptr, (long)strlen(ptr), enc);
}

VALUE rb_interned_str(const char *ptr, long len)
{
    VALUE out;
    bool ascii = true;
    for (long i = 0; i < len; i++) ascii = ascii && !(ptr[i] & 0x80);
    if (rbl_str_interned_index(ptr, len, ascii ? rb_usascii_encindex() : rb_ascii8bit_encindex(), &out)) rbl_jump();
    return out;
}

VALUE rb_interned_str_cstr(const char *ptr)
{
    return rb_interned_str(ptr, (long)strlen(ptr));
}

VALUE rb_external_str_new_with_enc(const char *ptr, long len, rb_encoding *enc)
{
    VALUE out;
    if (rbl_str_in_encoding(ptr, len, rb_enc_to_index(enc), &out)) rbl_jump();
    return out;
}

VALUE rb_locale_str_new(const char *ptr, long len)
{
    return rb_external_str_new_with_enc(ptr, len, rb_locale_encoding());
}

VALUE rb_locale_str_new_cstr(const char *ptr)
{
    return rb_locale_str_new(ptr, (long)strlen(ptr));
}

VALUE rb_filesystem_str_new(const char *ptr, long len)
{
    return rb_external_str_new_with_enc(ptr, len, rb_filesystem_encoding());
}

VALUE rb_filesystem_str_new_cstr(const char *ptr)
{
    return rb_filesystem_str_new(ptr, (long)strlen(ptr));
}

VALUE rb_enc_str_buf_cat(VALUE str, const char *ptr, long len, rb_encoding *enc)
{
    return rb_str_append(str, rb_enc_str_new(ptr, len, enc));
}

VALUE rb_enc_associate(VALUE object, rb_encoding *enc)
{
    return rb_enc_associate_index(object, rb_enc_to_index(enc));
}

void rb_enc_copy(VALUE a, VALUE b)
{
    rb_enc_associate_index(a, rb_enc_get_index(b));
}

VALUE rb_obj_encoding(VALUE object)
{
    int index = rb_enc_get_index(object);
    if (index < 0) rb_raise(rb_eTypeError, "unknown encoding");
    return rb_enc_from_encoding(rb_enc_from_index(index));
}

VALUE rb_enc_default_external(void)
{
    return rb_enc_from_encoding(rb_default_external_encoding());
}

VALUE rb_enc_default_internal(void)
{
    return rb_enc_from_encoding(rb_default_internal_encoding());
}

void rb_enc_set_default_external(VALUE encoding)
{
    SEND(rb_cEncoding, "default_external=", encoding);
}

void rb_enc_set_default_internal(VALUE encoding)
{
    SEND(rb_cEncoding, "default_internal=", encoding);
}

VALUE rb_locale_charmap(VALUE class)
{
    return SEND(rb_cEncoding, "locale_charmap");
}

int rb_enc_capable(VALUE object)
{
    return !SPECIAL_CONST_P(object) ? rb_enc_get_index(object) >= 0 : SYMBOL_P(object);
}

int rb_enc_unicode_p(rb_encoding *enc)
{
    return strncmp(enc->name, "UTF", 3) == 0;
}

int rb_enc_toupper(int c, rb_encoding *enc)
{
    return rb_isascii(c) ? rb_toupper(c) : c;
}

int rb_enc_tolower(int c, rb_encoding *enc)
{
    return rb_isascii(c) ? rb_tolower(c) : c;
}

int rb_enc_fast_mbclen(const char *p, const char *e, rb_encoding *enc)
{
    return rb_enc_mbclen(p, e, enc);
}

int rb_enc_ascget(const char *p, const char *e, int *len, rb_encoding *enc)
{
    if (e <= p) return -1;
    if (rb_enc_asciicompat(enc)) {
        unsigned char c = (unsigned char)*p;
        if (!rb_isascii(c)) return -1;
        if (len) *len = 1;
        return c;
    }
    int n = rb_enc_precise_mbclen(p, e, enc);
    if (!MBCLEN_CHARFOUND_P(n)) return -1;
    unsigned int c = rb_enc_codepoint(p, e, enc);
    if (c > 127) return -1;
    if (len) *len = n;
    return (int)c;
}

int rbl_enc_mbc_to_codepoint(const char *p, const char *e, rb_encoding *enc)
{
    int out;
    if (rbl_c_mbc_to_codepoint(p, e, enc, &out)) rbl_jump();
    return out;
}

int rbl_enc_code_to_mbc(int code, unsigned char *buffer, rb_encoding *enc)
{
    int out;
    if (rbl_c_code_to_mbc(code, buffer, enc, &out)) rbl_jump();
    return out;
}

int rbl_enc_ctype(int code, int type, rb_encoding *enc)
{
    int out;
    if (rbl_c_ctype(code, type, enc, &out)) rbl_jump();
    return out;
}

char *rbl_enc_left_char_head(const char *s, const char *p, const char *e, rb_encoding *enc)
{
    char *out;
    if (rbl_c_left_char_head(s, p, e, enc, &out)) rbl_jump();
    return out;
}

ID rb_intern3(const char *name, long len, rb_encoding *enc)
{
    ID out;
    if (rbl_intern_index(name, len, rb_enc_to_index(enc), &out)) rbl_jump();
    return out;
}

VALUE rb_check_symbol_cstr(const char *name, long len, rb_encoding *enc)
{
    ID out;
    if (rbl_find_index(name, len, rb_enc_to_index(enc), &out)) rbl_jump();
    return out ? ID2SYM(out) : Qnil;
}

ID rb_check_id_cstr(const char *name, long len, rb_encoding *enc)
{
    VALUE symbol = rb_check_symbol_cstr(name, len, enc);
    return NIL_P(symbol) ? 0 : SYM2ID(symbol);
}

static VALUE encode_options(int flags, VALUE options)
{
    VALUE out = NIL_P(options) ? rb_hash_new() : rb_hash_dup(options);
#define OPTION(key, value) rb_hash_aset(out, ID2SYM((rb_intern)(key)), (value))
    if ((flags & ECONV_INVALID_MASK) == ECONV_INVALID_REPLACE) OPTION("invalid", ID2SYM((rb_intern)("replace")));
    if ((flags & ECONV_UNDEF_MASK) == ECONV_UNDEF_REPLACE) OPTION("undef", ID2SYM((rb_intern)("replace")));
    if (flags & ECONV_UNIVERSAL_NEWLINE_DECORATOR) OPTION("universal_newline", Qtrue);
    if (flags & ECONV_CRLF_NEWLINE_DECORATOR) OPTION("crlf_newline", Qtrue);
    if (flags & ECONV_CR_NEWLINE_DECORATOR) OPTION("cr_newline", Qtrue);
    if (flags & ECONV_XML_TEXT_DECORATOR) OPTION("xml", ID2SYM((rb_intern)("text")));
    if (flags & ECONV_XML_ATTR_QUOTE_DECORATOR) OPTION("xml", ID2SYM((rb_intern)("attr")));
#undef OPTION
    return out;
}

VALUE rb_str_encode(VALUE str, VALUE to, int flags, VALUE options)
{
    VALUE args[2] = {to, encode_options(flags, options)};
    return rb_funcallv_kw(str, (rb_intern)("encode"), 2, args, RB_PASS_KEYWORDS);
}

struct conversion {
    VALUE str;
    rb_encoding *from, *to;
    int flags;
    VALUE options;
};

static VALUE convert(VALUE arg)
{
    struct conversion *c = (struct conversion *)arg;
    VALUE args[3] = {rb_enc_from_encoding(c->to), rb_enc_from_encoding(c->from), encode_options(c->flags, c->options)};
    return rb_funcallv_kw(c->str, (rb_intern)("encode"), 3, args, RB_PASS_KEYWORDS);
}

static VALUE same(VALUE arg, VALUE error)
{
    return ((struct conversion *)arg)->str;
}

VALUE rb_str_conv_enc_opts(VALUE str, rb_encoding *from, rb_encoding *to, int flags, VALUE options)
{
    if (!to) return str;
    if (!from) from = rb_enc_get(str);
    if (from == to) return str;
    if ((rb_enc_asciicompat(to) && rb_enc_str_asciionly_p(str)) || rb_enc_to_index(to) == rb_ascii8bit_encindex()) {
        if (rb_enc_get_index(str) != rb_enc_to_index(to)) {
            str = rb_str_dup(str);
            rb_enc_associate(str, to);
        }
        return str;
    }
    struct conversion c = {str, from, to, flags, options};
    return rb_rescue2(convert, (VALUE)&c, same, (VALUE)&c, rb_eEncodingError, rb_eArgError, (VALUE)0);
}

VALUE rb_str_conv_enc(VALUE str, rb_encoding *from, rb_encoding *to)
{
    return rb_str_conv_enc_opts(str, from, to, 0, Qnil);
}

static VALUE search_path(VALUE args)
{
    return SEND(RARRAY_AREF(args, 0), "search_convpath", RARRAY_AREF(args, 1), RARRAY_AREF(args, 2));
}

int rb_econv_has_convpath_p(const char *from, const char *to)
{
    VALUE converter = rb_path2class("Encoding::Converter");
    int state = 0;
    VALUE args = rb_ary_new_from_args(3, converter, rb_str_new_cstr(from), rb_str_new_cstr(to));
    rb_protect(search_path, args, &state);
    if (state) rb_set_errinfo(Qnil);
    return state == 0;
}

/* -- processes, files ---------------------------------------------------------------------------------------------- */

VALUE rb_last_status_get(void)
{
    return rb_gv_get("$?");
}

VALUE rb_process_status_wait(pid_t pid, int flags)
{
    return SEND(rb_path2class("Process::Status"), "wait", INT2NUM(pid), INT2NUM(flags));
}

pid_t rb_waitpid(pid_t pid, int *status, int flags)
{
    VALUE found = SEND(rb_mProcess, "wait", INT2NUM(pid), INT2NUM(flags));
    if (NIL_P(found)) return 0;
    if (status) *status = NUM2INT(SEND(rb_last_status_get(), "to_i"));
    return NUM2INT(found);
}

VALUE rb_detach_process(pid_t pid)
{
    return SEND(rb_mProcess, "detach", INT2NUM(pid));
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
    return SEND(rb_mProcess, "times");
}

void rb_p(VALUE value)
{
    SEND(rb_mKernel, "p", value);
}

VALUE rb_require(const char *name)
{
    return SEND(rb_mKernel, "require", rb_str_new_cstr(name));
}

VALUE rb_f_require(VALUE self, VALUE name)
{
    return SEND(rb_mKernel, "require", name);
}

VALUE rb_require_string(VALUE name)
{
    return SEND(rb_mKernel, "require", name);
}

VALUE rb_load(VALUE path, int wrap)
{
    return SEND(rb_mKernel, "load", path, wrap ? Qtrue : Qfalse);
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
    return RTEST(rb_ary_includes(list, rb_str_plus(name, rb_str_new_cstr(".rb")))) || RTEST(rb_ary_includes(list, rb_str_plus(name, rb_str_new_cstr(".so"))));
}

void rb_provide(const char *feature)
{
    rb_ary_push(rb_gv_get("$LOADED_FEATURES"), rb_str_new_cstr(feature));
}

VALUE rb_marshal_dump(VALUE value, VALUE io)
{
    return NIL_P(io) ? SEND(CONSTANT("Marshal"), "dump", value) : SEND(CONSTANT("Marshal"), "dump", value, io);
}

VALUE rb_marshal_load(VALUE source)
{
    return SEND(CONSTANT("Marshal"), "load", source);
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
    return SEND(rb_cFile, "open", rb_str_new_cstr(path), rb_str_new_cstr(mode));
}

VALUE rb_file_open_str(VALUE path, const char *mode)
{
    return SEND(rb_cFile, "open", path, rb_str_new_cstr(mode));
}

VALUE rb_file_expand_path(VALUE path, VALUE dir)
{
    return SEND(rb_cFile, "expand_path", path, dir);
}

VALUE rb_file_absolute_path(VALUE path, VALUE dir)
{
    return SEND(rb_cFile, "absolute_path", path, dir);
}

VALUE rb_file_s_expand_path(int argc, const VALUE *argv)
{
    return rb_funcallv(rb_cFile, (rb_intern)("expand_path"), argc, argv);
}

VALUE rb_file_s_absolute_path(int argc, const VALUE *argv)
{
    return rb_funcallv(rb_cFile, (rb_intern)("absolute_path"), argc, argv);
}

VALUE rb_file_directory_p(VALUE path)
{
    return SEND(rb_cFile, "directory?", path);
}

VALUE rb_file_dirname(VALUE path)
{
    return SEND(rb_cFile, "dirname", path);
}

off_t rb_file_size(VALUE file)
{
    return NUM2OFFT(SEND(file, "size"));
}

VALUE rb_dir_getwd(void)
{
    return SEND(rb_cDir, "pwd");
}

const char *ruby_enc_find_extname(const char *name, long *lenp, rb_encoding *enc)
{
    long len = lenp ? *lenp : (long)strlen(name);
    const char *end = name + len, *base = name, *dot = 0;
    for (const char *p = name; p < end; p++)
        if (*p == '/') base = p + 1;
    const char *p = base;
    while (p < end && *p == '.') p++;
    for (; p < end; p++)
        if (*p == '.') dot = p;
    if (!dot || dot + 1 == end) {
        if (lenp) *lenp = 0;
        return 0;
    }
    if (lenp) *lenp = end - dot;
    return dot;
}

void rb_glob(const char *pattern, void (*function)(const char *, VALUE, void *), VALUE arg)
{
    VALUE list = SEND(rb_cDir, "glob", rb_str_new_cstr(pattern));
    for (long i = 0; i < RARRAY_LEN(list); i++) {
        VALUE path = RARRAY_AREF(list, i);
        function(StringValueCStr(path), arg, (void *)rb_utf8_encoding());
    }
}

VALUE rb_gets(void)
{
    return SEND(rb_mKernel, "gets");
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
    SEND(rb_mProcess, "setproctitle", title);
}

int ruby_native_thread_p(void)
{
    return rbl_self.now.ctx != 0 || rbl_self.region != 0;
}

int ruby_stack_check(void)
{
    return 0;
}

/* -- helpers of util.h -------------------------------------------------------------------------------------------------- */

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

double ruby_strtod(const char *text, char **end)
{
    /* Without the hexadecimal numbers, infinities and NaN of the C library. */
    return (strtod)(text, end);
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
        if (__builtin_mul_overflow(n, (unsigned long)base, &next) || __builtin_add_overflow(next, (unsigned long)digit, &next)) *overflow = 1;
        n = n * (unsigned long)base + (unsigned long)digit;
    }
    *used = (size_t)(text - start);
    return n;
}

void ruby_setenv(const char *name, const char *value)
{
    SEND(CONSTANT("ENV"), "[]=", rb_str_new_cstr(name), value ? rb_str_new_cstr(value) : Qnil);
}

void ruby_unsetenv(const char *name)
{
    ruby_setenv(name, 0);
}

/* -- the collector -------------------------------------------------------------------------------------------------------- */

VALUE rb_define_finalizer(VALUE object, VALUE block)
{
    return SEND(CONSTANT("ObjectSpace"), "define_finalizer", object, block);
}

VALUE rb_undefine_finalizer(VALUE object)
{
    return SEND(CONSTANT("ObjectSpace"), "undefine_finalizer", object);
}

size_t rb_gc_count(void)
{
    return NUM2SIZET(SEND(CONSTANT("GC"), "count"));
}

size_t rb_gc_stat(VALUE key)
{
    VALUE found = SEND(CONSTANT("GC"), "stat", key);
    return SYMBOL_P(key) ? NUM2SIZET(found) : 0;
}

VALUE rb_gc_latest_gc_info(VALUE key)
{
    return SEND(CONSTANT("GC"), "latest_gc_info", key);
}

void rb_str_free(VALUE str)
{
}

void rb_free_generic_ivar(VALUE object)
{
}

void rb_gc_force_recycle(VALUE object)
{
}

void rb_ary_free(VALUE ary)
{
}

void rb_copy_wb_protected_attribute(VALUE a, VALUE b)
{
}

VALUE rb_newobj(void)
{
    return rb_obj_alloc(rb_cObject);
}

int rbl_onigenc_mbc_case_fold(OnigEncoding enc, OnigCaseFoldType flag, const OnigUChar **pp, const OnigUChar *end, OnigUChar *fold)
{
    int n = rb_enc_precise_mbclen((const char *)*pp, (const char *)end, enc);
    if (!MBCLEN_CHARFOUND_P(n)) n = 1;
    VALUE text = rb_enc_str_new((const char *)*pp, n, enc);
    text = SEND(text, "downcase", ID2SYM((rb_intern)("fold")));
    *pp += n;
    memcpy(fold, RSTRING_PTR(text), (size_t)RSTRING_LEN(text));
    return (int)RSTRING_LEN(text);
}

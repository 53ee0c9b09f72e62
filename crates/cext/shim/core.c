/* Ways into C, and exits. */
#include "rbl.h"

__thread struct rbl_thread rbl_self;

struct rbl_thread *rbl_state(void)
{
    return &rbl_self;
}

/* AddressSanitizer, if it is there, forgets what it knows of the frames that a jump leaves. */
extern void __asan_handle_no_return(void) __attribute__((weak));

void rbl_jump(void)
{
    if (!rbl_self.now.tag || rbl_self.marker) {
        fprintf(stderr, "[BUG] an exit out of C code that nothing has called\n");
        abort();
    }
    if (__asan_handle_no_return) __asan_handle_no_return();
    if (rbl_self.opening) rbl_leave_constructor();
    __builtin_longjmp(rbl_self.now.tag->buf, 1);
}

void rbl_no_lock(void)
{
    char name[32] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    if (rbl_self.marker) {
        fprintf(stderr, "[FATAL] a mark function has called a function of the VM that needs more than the collector "
            "(native thread %s)\n", name);
        abort();
    }
    fprintf(stderr, "[FATAL] the native thread %s has called a function of the VM without the lock\n", name);
    abort();
}

int rbl_enter(VALUE (*function)(VALUE), VALUE argument, VALUE *out)
{
    ENTER(*out = function(argument));
}

int rbl_enter2(VALUE (*function)(VALUE, VALUE), VALUE a, VALUE b, VALUE *out)
{
    ENTER(*out = function(a, b));
}

int rbl_enter3(VALUE (*function)(VALUE, VALUE, VALUE), VALUE a, VALUE b, VALUE c, VALUE *out)
{
    ENTER(*out = function(a, b, c));
}

int rbl_enter_void(void (*function)(void *), void *argument)
{
    ENTER(function(argument));
}

int rbl_enter_init(void (*function)(void))
{
    ENTER(function());
}

int rbl_enter_int3(int (*function)(VALUE, VALUE, VALUE), VALUE a, VALUE b, VALUE c, int *out)
{
    ENTER(*out = function(a, b, c));
}

int rbl_enter_block(rb_block_call_func_t function, VALUE yielded, VALUE data, int argc, const VALUE *argv, VALUE block,
    VALUE *out)
{
    ENTER(*out = function(yielded, data, argc, argv, block));
}

int rbl_enter_setter(rb_gvar_setter_t *function, VALUE value, ID id, VALUE *data)
{
    ENTER(function(value, id, data));
}

int rbl_enter_getter(rb_gvar_getter_t *function, ID id, VALUE *data, VALUE *out)
{
    ENTER(*out = function(id, data));
}

int rbl_enter_tracepoint(void (*function)(VALUE, void *), VALUE a, void *data)
{
    ENTER(function(a, data));
}

int rbl_enter_event(rb_event_hook_func_t function, rb_event_flag_t event, VALUE data, VALUE self, ID mid, VALUE klass)
{
    ENTER(function(event, data, self, mid, klass));
}

#define F(...) ((VALUE(*)(__VA_ARGS__))function)
#define V VALUE
static VALUE call_method(void *function, int argc, VALUE self, int n, const VALUE *a, VALUE list)
{
    switch (argc) {
      case -2: return F(V, V)(self, list);
      case -1: return F(int, const VALUE *, V)(n, a, self);
      case 0: return F(V)(self);
      case 1: return F(V, V)(self, a[0]);
      case 2: return F(V, V, V)(self, a[0], a[1]);
      case 3: return F(V, V, V, V)(self, a[0], a[1], a[2]);
      case 4: return F(V, V, V, V, V)(self, a[0], a[1], a[2], a[3]);
      case 5: return F(V, V, V, V, V, V)(self, a[0], a[1], a[2], a[3], a[4]);
      case 6: return F(V, V, V, V, V, V, V)(self, a[0], a[1], a[2], a[3], a[4], a[5]);
      case 7: return F(V, V, V, V, V, V, V, V)(self, a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
      case 8: return F(V, V, V, V, V, V, V, V, V)(self, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
      case 9: return F(V, V, V, V, V, V, V, V, V, V)(self, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
      case 10:
        return F(V, V, V, V, V, V, V, V, V, V, V)(
            self, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
      case 11:
        return F(V, V, V, V, V, V, V, V, V, V, V, V)(
            self, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10]);
      case 12:
        return F(V, V, V, V, V, V, V, V, V, V, V, V, V)(
            self, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
      case 13:
        return F(V, V, V, V, V, V, V, V, V, V, V, V, V, V)(
            self, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12]);
      case 14:
        return F(V, V, V, V, V, V, V, V, V, V, V, V, V, V, V)(
            self, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13]);
      default:
        return F(V, V, V, V, V, V, V, V, V, V, V, V, V, V, V, V)(
            self, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14]);
    }
}
#undef F
#undef V

/* A method: `list` is its Array of arguments when `argc` is -2. */
int rbl_enter_method(void *function, int argc, VALUE self, int n, const VALUE *args, VALUE list, VALUE *out)
{
    ENTER(*out = call_method(function, argc, self, n, args, list));
}

void rbl_unimplemented(const char *name)
{
    rbl_raise_unimplemented(name);
    rbl_jump();
}

/* -- exits ------------------------------------------------------------------------------------- */

/* The states of `rb_protect`, which `rb_jump_tag` takes. */
enum { TAG_NONE = 0, TAG_RETURN = 1, TAG_BREAK = 2, TAG_RAISE = 6, TAG_THROW = 7, TAG_FATAL = 8 };

VALUE rb_protect(VALUE (*function)(VALUE), VALUE argument, int *state)
{
    VALUE out = Qnil;
    struct rbl_saved saved;
    rbl_protect_begin(&saved);
    int failed = rbl_enter(function, argument, &out);
    if (failed) out = Qnil;
    int result = failed ? rbl_protect_failed(&saved) : TAG_NONE;
    if (state) *state = result;
    return out;
}

void rb_jump_tag(int state)
{
    rbl_jump_tag(state);
    rbl_jump();
}

VALUE rb_ensure(VALUE (*body)(VALUE), VALUE data1, VALUE (*cleanup)(VALUE), VALUE data2)
{
    VALUE out = Qnil, ignored;
    struct rbl_saved saved;
    rbl_protect_begin(&saved);
    int failed = rbl_enter(body, data1, &out);
    volatile VALUE exit = failed ? rbl_exit_take(&saved) : Qundef;
    if (rbl_enter(cleanup, data2, &ignored)) rbl_jump();
    if (failed) {
        rbl_exit_restore(&saved, exit);
        rbl_jump();
    }
    RB_GC_GUARD(exit);
    return out;
}

VALUE rb_vrescue2(VALUE (*body)(VALUE), VALUE data1, VALUE (*rescue)(VALUE, VALUE), VALUE data2, va_list ap)
{
    VALUE out = Qnil, classes[32], error;
    int count = 0;
    VALUE class;
    while (count < 32 && (class = va_arg(ap, VALUE)) != 0) classes[count++] = class;
    struct rbl_saved saved;
    rbl_protect_begin(&saved);
    if (!rbl_enter(body, data1, &out)) return out;
    int status = rbl_rescue(&saved, classes, count, &error);
    if (status != 0) rbl_jump();
    if (!rescue) {
        rbl_rescued(&saved);
        return Qnil;
    }
    out = rescue(data2, error);
    rbl_rescued(&saved);
    return out;
}

VALUE rb_rescue2(VALUE (*body)(VALUE), VALUE data1, VALUE (*rescue)(VALUE, VALUE), VALUE data2, ...)
{
    va_list ap;
    va_start(ap, data2);
    VALUE out = rb_vrescue2(body, data1, rescue, data2, ap);
    va_end(ap);
    return out;
}

VALUE rb_rescue(VALUE (*body)(VALUE), VALUE data1, VALUE (*rescue)(VALUE, VALUE), VALUE data2)
{
    return rb_rescue2(body, data1, rescue, data2, rb_eStandardError, (VALUE)0);
}

VALUE rb_catch(const char *tag, rb_block_call_func_t function, VALUE data)
{
    return rb_catch_obj(ID2SYM((rb_intern)(tag)), function, data);
}

void rb_throw(const char *tag, VALUE value)
{
    rb_throw_obj(ID2SYM((rb_intern)(tag)), value);
}

/* -- arguments that vary ----------------------------------------------------------------------- */

#define COLLECT(n, last) \
    VALUE stack[16], *argv = stack, buffer = 0; \
    if ((n) > 16) argv = RB_ALLOCV_N(VALUE, buffer, (n)); \
    va_list ap; \
    va_start(ap, last); \
    for (long i = 0; i < (n); i++) argv[i] = va_arg(ap, VALUE); \
    va_end(ap)
#define COLLECTED if (buffer) RB_ALLOCV_END(buffer)

VALUE rbl_own(VALUE receiver, ID name, int argc, const VALUE *argv, int how)
{
    VALUE out;
    if (rbl_c_own(receiver, name, argc, argv, how, &out)) rbl_jump();
    return out;
}

VALUE rb_funcall(VALUE receiver, ID mid, int n, ...)
{
    COLLECT(n, n);
    VALUE out = rb_funcallv(receiver, mid, n, argv);
    COLLECTED;
    return out;
}

VALUE rb_yield_values(int n, ...)
{
    COLLECT(n, n);
    VALUE out = rb_yield_values2(n, argv);
    COLLECTED;
    return out;
}

VALUE rb_ary_new_from_args(long n, ...)
{
    COLLECT(n, n);
    VALUE out = rb_ary_new_from_values(n, argv);
    COLLECTED;
    return out;
}

static VALUE members_of(va_list ap)
{
    VALUE list = rb_ary_new();
    const char *name;
    while ((name = va_arg(ap, const char *)) != 0) rb_ary_push(list, ID2SYM((rb_intern)(name)));
    return list;
}

VALUE rb_struct_define(const char *name, ...)
{
    va_list ap;
    va_start(ap, name);
    VALUE members = members_of(ap);
    va_end(ap);
    return rbl_c_struct_define(0, name, members, rb_cStruct);
}

VALUE rb_struct_define_under(VALUE outer, const char *name, ...)
{
    va_list ap;
    va_start(ap, name);
    VALUE members = members_of(ap);
    va_end(ap);
    return rbl_c_struct_define(outer, name, members, rb_cStruct);
}

VALUE rb_data_define(VALUE super, ...)
{
    va_list ap;
    va_start(ap, super);
    VALUE members = members_of(ap);
    va_end(ap);
    VALUE data = rb_const_get(rb_cObject, (rb_intern)("Data"));
    if (super) Check_Type(super, T_CLASS);
    if (!super || super == data)
        return rb_funcallv(data, (rb_intern)("define"), (int)RARRAY_LEN(members), RARRAY_CONST_PTR(members));
    /* A class that `define` has made does not answer to it any more. */
    VALUE define = rb_funcall(rb_obj_method(data, ID2SYM((rb_intern)("define"))), (rb_intern)("unbind"), 0);
    define = rb_funcall(define, (rb_intern)("bind"), 1, super);
    return rb_funcallv(define, (rb_intern)("call"), (int)RARRAY_LEN(members), RARRAY_CONST_PTR(members));
}

VALUE rb_struct_define_without_accessor(const char *name, VALUE super, rb_alloc_func_t alloc, ...)
{
    va_list ap;
    va_start(ap, alloc);
    VALUE members = members_of(ap);
    va_end(ap);
    (void)alloc;
    return rbl_c_struct_define(0, name, members, super);
}

VALUE rb_struct_define_without_accessor_under(VALUE outer, const char *name, VALUE super, rb_alloc_func_t alloc, ...)
{
    va_list ap;
    va_start(ap, alloc);
    VALUE members = members_of(ap);
    va_end(ap);
    return rbl_c_struct_define(outer, name, members, super);
}

VALUE rb_struct_new(VALUE class, ...)
{
    VALUE members = rb_struct_s_members(class);
    int n = (int)RARRAY_LEN(members);
    COLLECT(n, class);
    VALUE out = rb_class_new_instance(n, argv, class);
    COLLECTED;
    return out;
}

VALUE rbl_c_struct_define(VALUE outer, const char *name, VALUE members, VALUE super)
{
    VALUE class = rb_funcallv(super, (rb_intern)("new"), (int)RARRAY_LEN(members), RARRAY_CONST_PTR(members));
    if (name && !rb_is_const_id((rb_intern)(name)))
        rb_name_error((rb_intern)(name), "identifier %s needs to be constant", name);
    if (outer) {
        rb_const_set(outer, (rb_intern)(name), class);
    } else if (name) {
        if (!rb_const_defined_at(super, (rb_intern)(name))) {
            rb_const_set(super, (rb_intern)(name), class);
        } else {
            rb_warn("redefining constant %"PRIsVALUE"::%s", super, name);
            rb_mod_remove_const(super, ID2SYM((rb_intern)(name)));
            rb_const_set(super, (rb_intern)(name), class);
        }
    }
    return class;
}

/* -- rb_scan_args ------------------------------------------------------------------------------ */

struct scan_format {
    int lead, opt, trail;
    bool rest, hash, block;
};

static struct scan_format scan_format(const char *fmt)
{
    struct scan_format f = {0};
    const char *p = fmt;
    if (ISDIGIT(*p)) {
        f.lead = *p++ - '0';
        if (ISDIGIT(*p)) f.opt = *p++ - '0';
    }
    if (*p == '*') {
        f.rest = true;
        p++;
    }
    if (ISDIGIT(*p)) f.trail = *p++ - '0';
    if (*p == ':') {
        f.hash = true;
        p++;
    }
    if (*p == '&') {
        f.block = true;
        p++;
    }
    if (*p != '\0') rb_fatal("bad scan arg format: %s", fmt);
    return f;
}

static int scan(int kw_flag, int argc, const VALUE *argv, const char *fmt, va_list ap)
{
    struct scan_format f = scan_format(fmt);
    VALUE hash = Qnil;
    bool keywords = false;
    switch (kw_flag) {
      case RB_SCAN_ARGS_PASS_CALLED_KEYWORDS: keywords = rb_keyword_given_p(); break;
      case RB_SCAN_ARGS_KEYWORDS: keywords = true; break;
      case RB_SCAN_ARGS_LAST_HASH_KEYWORDS: keywords = argc > 0 && RB_TYPE_P(argv[argc - 1], T_HASH); break;
    }
    int required = f.lead + f.trail, n = argc;
    if (keywords && argc > 0) {
        VALUE last = argv[argc - 1];
        if (f.hash) {
            hash = rb_hash_dup(last);
            n--;
        } else if (RB_TYPE_P(last, T_HASH) && RHASH_EMPTY_P(last) && kw_flag == RB_SCAN_ARGS_PASS_CALLED_KEYWORDS) {
            /* Whoever takes the keywords off the arguments first leaves anything at all in last place. */
            n--;
        }
    }
    if (n < required || (!f.rest && n > required + f.opt))
        rb_error_arity(n, required, f.rest ? UNLIMITED_ARGUMENTS : required + f.opt);
    int at = 0;
    VALUE *var;
    for (int i = 0; i < f.lead; i++) {
        var = va_arg(ap, VALUE *);
        if (var) *var = argv[at];
        at++;
    }
    for (int i = 0; i < f.opt; i++) {
        var = va_arg(ap, VALUE *);
        if (at < n - f.trail) {
            if (var) *var = argv[at];
            at++;
        } else if (var) {
            *var = Qnil;
        }
    }
    if (f.rest) {
        int count = n - at - f.trail;
        var = va_arg(ap, VALUE *);
        if (count > 0) {
            if (var) *var = rb_ary_new_from_values(count, argv + at);
            at += count;
        } else if (var) {
            *var = rb_ary_new();
        }
    }
    for (int i = 0; i < f.trail; i++) {
        var = va_arg(ap, VALUE *);
        if (var) *var = argv[at];
        at++;
    }
    if (f.hash) {
        var = va_arg(ap, VALUE *);
        if (var) *var = hash;
    }
    if (f.block) {
        var = va_arg(ap, VALUE *);
        if (var) *var = rb_block_given_p() ? rb_block_proc() : Qnil;
    }
    return n;
}

int rb_scan_args(int argc, const VALUE *argv, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = scan(RB_SCAN_ARGS_PASS_CALLED_KEYWORDS, argc, argv, fmt, ap);
    va_end(ap);
    return n;
}

int rb_scan_args_kw(int kw_flag, int argc, const VALUE *argv, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = scan(kw_flag, argc, argv, fmt, ap);
    va_end(ap);
    return n;
}

static int extract_pair(VALUE key, VALUE value, VALUE parts)
{
    VALUE *part = (VALUE *)parts + (SYMBOL_P(key) ? 0 : 1);
    if (!*part) *part = rb_hash_new();
    rb_hash_aset(*part, key, value);
    return ST_CONTINUE;
}

/* The pairs whose keys are symbols, or 0; the rest, or 0, takes the hash's place. */
VALUE rb_extract_keywords(VALUE *hash)
{
    VALUE parts[2] = {0, 0};
    if (RHASH_EMPTY_P(*hash)) {
        VALUE empty = *hash;
        *hash = 0;
        return empty;
    }
    rb_hash_foreach(*hash, extract_pair, (VALUE)parts);
    *hash = parts[1];
    return parts[0];
}

int rb_get_kwargs(VALUE hash, const ID *table, int required, int optional, VALUE *values)
{
    bool rest = optional < 0;
    int found = 0;
    VALUE missing = Qnil;
    if (rest) optional = -1 - optional;
    if (values)
        for (int i = 0; i < required + optional; i++) values[i] = Qundef;
    for (int i = 0; i < required; i++) {
        VALUE key = ID2SYM(table[i]);
        VALUE value = NIL_P(hash) ? Qundef : rb_hash_lookup2(hash, key, Qundef);
        if (value == Qundef) {
            if (NIL_P(missing)) missing = rb_ary_new();
            rb_ary_push(missing, key);
            continue;
        }
        if (values) {
            values[i] = value;
            rb_hash_delete(hash, key);
        }
        found++;
    }
    if (!NIL_P(missing)) {
        VALUE names = rb_ary_join(rbl_c_inspected(missing), rb_str_new_cstr(", "));
        rb_raise(rb_eArgError,
            RARRAY_LEN(missing) == 1 ? "missing keyword: %"PRIsVALUE : "missing keywords: %"PRIsVALUE, names);
    }
    if (!NIL_P(hash)) {
        for (int i = required; i < required + optional; i++) {
            VALUE key = ID2SYM(table[i]);
            VALUE value = rb_hash_lookup2(hash, key, Qundef);
            if (value == Qundef) continue;
            if (values) {
                values[i] = value;
                rb_hash_delete(hash, key);
            }
            found++;
        }
        if (!rest) {
            long known = values ? 0 : found;
            if ((long)RHASH_SIZE(hash) > known) {
                VALUE keys = rb_funcall(hash, (rb_intern)("keys"), 0);
                if (!values)
                    for (int i = 0; i < required + optional; i++) rb_ary_delete(keys, ID2SYM(table[i]));
                VALUE names = rb_ary_join(rbl_c_inspected(keys), rb_str_new_cstr(", "));
                rb_raise(rb_eArgError,
                    RARRAY_LEN(keys) == 1 ? "unknown keyword: %"PRIsVALUE : "unknown keywords: %"PRIsVALUE, names);
            }
        }
    }
    return found;
}

VALUE rbl_c_inspected(VALUE list)
{
    VALUE out = rb_ary_new();
    for (long i = 0; i < RARRAY_LEN(list); i++) rb_ary_push(out, rb_inspect(RARRAY_AREF(list, i)));
    return out;
}

/* Memory, finalizers, what the collector tells. */
#include "rbl.h"

/* -- memory -------------------------------------------------------------------------------------------- */

void *ruby_xmalloc(size_t size)
{
    if ((ssize_t)size < 0) rb_raise(rb_eNoMemError, "too large allocation size");
    void *p = malloc(size ? size : 1);
    if (!p) rb_memerror();
    rbl_note_memory((ssize_t)size);
    return p;
}

static size_t product(size_t n, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(n, size, &total))
        rb_raise(rb_eArgError, "integer overflow: %"PRIuSIZE" * %"PRIuSIZE" > %"PRIuSIZE, n, size, SIZE_MAX);
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
    if ((ssize_t)size < 0) rb_raise(rb_eNoMemError, "too large allocation size");
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

/* The allocator knows the old sizes itself. */
void *ruby_xrealloc_sized(void *old, size_t size, size_t old_size)
{
    return ruby_xrealloc(old, size);
}

void *ruby_xrealloc2_sized(void *old, size_t n, size_t size, size_t old_n)
{
    return ruby_xrealloc2(old, n, size);
}

void ruby_xfree_sized(void *p, size_t size)
{
    ruby_xfree(p);
}

/* Libraries whose memory is counted allocate on threads of their own, too. */
void rb_gc_adjust_memory_usage(ssize_t delta)
{
    rbl_note_memory(delta);
}

void ruby_malloc_size_overflow(size_t n, size_t size)
{
    rb_raise(rb_eArgError, "malloc: possible integer overflow (%"PRIuSIZE"*%"PRIuSIZE")", n, size);
}

/* A buffer of which nobody knows what it holds: each word is a reference if it looks like one. */
struct buffer {
    size_t words;
    VALUE at[];
};

static void buffer_mark(void *address)
{
    struct buffer *buffer = address;
    rb_gc_mark_locations(buffer->at, buffer->at + buffer->words);
}

static size_t buffer_size(const void *address)
{
    return sizeof(struct buffer) + ((const struct buffer *)address)->words * sizeof(VALUE);
}

static const rb_data_type_t buffer_type = {
    "temporary buffer", {buffer_mark, RUBY_DEFAULT_FREE, buffer_size, 0, {0}}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};

/* The memory belongs to a hidden object, which the collector frees when nobody refers to it any more. */
void *rb_alloc_tmp_buffer(volatile VALUE *store, long len)
{
    if (len < 0 || len > LONG_MAX - 64) rb_raise(rb_eArgError, "negative buffer size (or size too big)");
    size_t words = ((size_t)len + sizeof(VALUE) - 1) / sizeof(VALUE);
    VALUE holder = rb_data_typed_object_zalloc(0, sizeof(struct buffer) + words * sizeof(VALUE), &buffer_type);
    struct buffer *buffer = DATA_PTR(holder);
    buffer->words = words;
    *store = holder;
    return buffer->at;
}

void *rb_alloc_tmp_buffer_with_count(volatile VALUE *store, size_t size, size_t count)
{
    return rb_alloc_tmp_buffer(store, (long)size);
}

void rb_free_tmp_buffer(volatile VALUE *store)
{
    VALUE holder = *store;
    *store = 0;
    if (!holder) return;
    void *memory = DATA_PTR(holder);
    DATA_PTR(holder) = 0;
    free(memory);
}

void rb_mem_clear(VALUE *p, long n)
{
    for (; n > 0; n--) *p++ = Qnil;
}

/* -- the collector ------------------------------------------------------------------------------------- */

VALUE rb_define_finalizer(VALUE object, VALUE block)
{
    return OWN(CONSTANT("ObjectSpace"), "define_finalizer", object, block);
}

VALUE rb_undefine_finalizer(VALUE object)
{
    return OWN(CONSTANT("ObjectSpace"), "undefine_finalizer", object);
}

size_t rb_gc_stat(VALUE key)
{
    size_t number = 0;
    if (NIL_P(key)) rb_raise(rb_eTypeError, "non-hash or symbol given");
    if (!SYMBOL_P(key)) OWN(CONSTANT("GC"), "stat", key);
    else if (rbl_c_gc_number(key, &number)) rbl_jump();
    return number;
}

static VALUE state_symbol, marking_symbol, sweeping_symbol;

/* Names that the handlers of signals compare with. */
void rbl_name_states(void)
{
    state_symbol = ID2SYM((rb_intern)("state"));
    marking_symbol = ID2SYM((rb_intern)("marking"));
    sweeping_symbol = ID2SYM((rb_intern)("sweeping"));
}

VALUE rb_gc_latest_gc_info(VALUE key)
{
    int collecting = 0;
    rbl_during_gc(&collecting);
    if (collecting && key == state_symbol) return rbl_c_sweeping() ? sweeping_symbol : marking_symbol;
    /* In the handler of a signal that has interrupted the collector nothing may be called. */
    if (collecting && !rbl_tells()) return Qnil;
    if (!SYMBOL_P(key)) return OWN(CONSTANT("GC"), "latest_gc_info", key);
    VALUE told;
    if (rbl_c_gc_info(key, &told)) rbl_jump();
    return told;
}

void rb_str_free(VALUE str)
{
}

void rb_free_generic_ivar(VALUE object)
{
    VALUE names = rb_obj_instance_variables(object);
    for (long i = 0; i < RARRAY_LEN(names); i++) rb_obj_remove_instance_variable(object, RARRAY_AREF(names, i));
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

/* What `rb_objspace_each_objects` shows are programs' objects. */
int rb_objspace_internal_object_p(VALUE object)
{
    (void)object;
    return 0;
}

/* Each living object is a slot of its own. What the function makes is not among them. */
void rb_objspace_each_objects(int (*function)(void *start, void *end, size_t stride, void *data), void *data)
{
    VALUE objects;
    const size_t stride = 40;
    if (rbl_c_objects(&objects)) rbl_jump();
    for (long i = 0; i < RARRAY_LEN(objects); i++) {
        char *at = (char *)RARRAY_AREF(objects, i);
        if (function(at, at + stride, stride, data)) break;
    }
    RB_GC_GUARD(objects);
}

#ifndef RUBELLITE_INTERNAL_INLINE_H
#define RUBELLITE_INTERNAL_INLINE_H
/* What a few loads can tell. */
#include "ruby/internal/api.h"
#include "ruby/internal/vars.h"

/* What `rb_type` says of each number that a cell may have. */
RBL_BEGIN_DECLS
extern const unsigned char rbl_cell_types[32];
int rbl_type_of_data(VALUE);
char *rb_str_terminated_ptr(VALUE);
VALUE *rb_ary_writable_ptr(VALUE);
VALUE *rb_ary_ptr_use_start(VALUE);
void rb_ary_ptr_use_end(VALUE);
void rb_ary_write(VALUE, long, VALUE);
long rb_num2long(VALUE);
long rb_num2int(VALUE);
long rb_fix2int(VALUE);
unsigned long rb_num2uint(VALUE);
unsigned long rb_fix2uint(VALUE);
short rb_num2short(VALUE);
short rb_fix2short(VALUE);
unsigned long long rb_num2ull(VALUE);
VALUE rb_int2big(intptr_t);
VALUE rb_uint2big(uintptr_t);
VALUE rb_string_value(volatile VALUE *);
char *rb_string_value_ptr(volatile VALUE *);
RBL_NORETURN void rb_out_of_int(SIGNED_VALUE);
RBL_NORETURN void rb_unexpected_type(VALUE, int);
double rb_float_value(VALUE);
void rb_obj_freeze_inline(VALUE);
RBL_END_DECLS

static inline enum ruby_value_type rbl_builtin_type(VALUE obj)
{
    unsigned int tag = RBASIC(obj)->flags & RUBY_T_MASK;
    if (RB_UNLIKELY(tag == 22)) return (enum ruby_value_type)rbl_type_of_data(obj);
    /* A bit of the class: instances are data in CRuby. */
    if (tag == RUBY_T_OBJECT && RBASIC(obj)->klass && (RBASIC(RBASIC(obj)->klass)->flags & 1 << 10)) return RUBY_T_DATA;
    return (enum ruby_value_type)rbl_cell_types[tag];
}
#define RB_BUILTIN_TYPE(x) rbl_builtin_type((VALUE)(x))
#define BUILTIN_TYPE(x) ((int)rbl_builtin_type((VALUE)(x)))

static inline enum ruby_value_type rb_type(VALUE obj)
{
    if (!RB_SPECIAL_CONST_P(obj)) return rbl_builtin_type(obj);
    if (RB_FIXNUM_P(obj)) return RUBY_T_FIXNUM;
    if (RB_FLONUM_P(obj)) return RUBY_T_FLOAT;
    if (RB_STATIC_SYM_P(obj)) return RUBY_T_SYMBOL;
    if (obj == Qnil) return RUBY_T_NIL;
    if (obj == Qtrue) return RUBY_T_TRUE;
    if (obj == Qfalse) return RUBY_T_FALSE;
    return RUBY_T_UNDEF;
}
#define TYPE(x) ((int)rb_type((VALUE)(x)))

static inline bool RB_FLOAT_TYPE_P(VALUE obj)
{
    return RB_FLONUM_P(obj) || (!RB_SPECIAL_CONST_P(obj) && (RBASIC(obj)->flags & RUBY_T_MASK) == RUBY_T_FLOAT);
}
static inline bool RB_INTEGER_TYPE_P(VALUE obj)
{
    return RB_FIXNUM_P(obj) || (!RB_SPECIAL_CONST_P(obj) && (RBASIC(obj)->flags & RUBY_T_MASK) == RUBY_T_BIGNUM);
}
#define rb_integer_type_p RB_INTEGER_TYPE_P
#define RB_FLOAT_TYPE_P RB_FLOAT_TYPE_P
#define RB_INTEGER_TYPE_P RB_INTEGER_TYPE_P

static inline bool rbl_type_p(VALUE obj, int type)
{
    switch (type) {
      case RUBY_T_STRING:
      case RUBY_T_ARRAY:
      case RUBY_T_HASH:
      case RUBY_T_REGEXP:
      case RUBY_T_BIGNUM:
      case RUBY_T_CLASS:
      case RUBY_T_MODULE:
        return !RB_SPECIAL_CONST_P(obj) && (int)(RBASIC(obj)->flags & RUBY_T_MASK) == type;
      case RUBY_T_FLOAT:
        return RB_FLOAT_TYPE_P(obj);
      default:
        return (int)rb_type(obj) == type;
    }
}
#define RB_TYPE_P(obj, t) rbl_type_p((VALUE)(obj), (t))
#define rb_type_p RB_TYPE_P

static inline void Check_Type(VALUE v, enum ruby_value_type t)
{
    if (RB_UNLIKELY(!rbl_type_p(v, t))) rb_unexpected_type(v, t);
    if (t == RUBY_T_DATA && (RBASIC(v)->flags & RUBY_T_MASK) == RUBY_T_DATA
        && ((struct RTypedData *)v)->typed_flag == 1)
        rb_unexpected_type(v, t);
}
#define Check_Type Check_Type

static inline VALUE rb_class_of(VALUE obj)
{
    if (!RB_SPECIAL_CONST_P(obj)) return RBASIC(obj)->klass;
    if (RB_FIXNUM_P(obj)) return rb_cInteger;
    if (RB_FLONUM_P(obj)) return rb_cFloat;
    if (obj == Qtrue) return rb_cTrueClass;
    if (RB_STATIC_SYM_P(obj)) return rb_cSymbol;
    if (obj == Qnil) return rb_cNilClass;
    return rb_cFalseClass;
}
#define CLASS_OF rb_class_of

/* Frozen and shared. */
static inline bool RB_OBJ_FROZEN_RAW_(VALUE obj)
{
    return (RBASIC(obj)->flags & RUBY_FL_FREEZE) != 0;
}
#define RB_OBJ_FROZEN_RAW(x) RB_OBJ_FROZEN_RAW_((VALUE)(x))
#define RB_OBJ_FROZEN(x) (RB_SPECIAL_CONST_P(x) || RB_OBJ_FROZEN_RAW(x))
#define OBJ_FROZEN RB_OBJ_FROZEN
#define OBJ_FROZEN_RAW RB_OBJ_FROZEN_RAW
#define RB_OBJ_FREEZE rb_obj_freeze_inline
#define OBJ_FREEZE RB_OBJ_FREEZE
#define RB_OBJ_FREEZE_RAW(x) rb_obj_freeze_inline(x)
#define OBJ_FREEZE_RAW RB_OBJ_FREEZE_RAW
#define rb_check_frozen_internal rb_check_frozen
#define rb_check_frozen_inline rb_check_frozen
#define RB_OBJ_SHAREABLE_P(obj) FL_TEST_RAW((obj), RUBY_FL_SHAREABLE)

/* Strings. */
static inline long rbl_str_len(VALUE str)
{
    return (long)((unsigned long)((struct RString *)str)->word << 1 >> 1);
}
/* The bytes are the string's own, with a NUL behind them. */
#define RBL_STRING_TERMINATED ((VALUE)1 << 13)
static inline char *rbl_str_bytes(VALUE str)
{
    struct RString *s = (struct RString *)str;
    if (RB_LIKELY(s->basic.flags & RBL_STRING_TERMINATED)) return s->word < 0 ? s->as.heap.ptr : s->as.embed.ary;
    return rb_str_terminated_ptr(str);
}
#define RSTRING(obj) ((struct RString *)(obj))
#define RSTRING_LEN(str) rbl_str_len((VALUE)(str))
#define RSTRING_PTR(str) rbl_str_bytes((VALUE)(str))
#define RSTRING_END(str) (RSTRING_PTR(str) + RSTRING_LEN(str))
#define RSTRING_LENINT(str) rb_long2int(RSTRING_LEN(str))
#define RSTRING_GETMEM(str, ptrvar, lenvar) ((ptrvar) = RSTRING_PTR(str), (lenvar) = RSTRING_LEN(str))
/* No bit tells either. */
enum ruby_rstring_flags { RSTRING_FSTR = 0 };
#define RSTRING_FSTR ((VALUE)RSTRING_FSTR)
#define RSTRING_NOEMBED ((VALUE)0)
#define RUBY_FSTR ((VALUE)0)

/* Arrays. */
static inline long rb_array_len(VALUE ary)
{
    return (long)((unsigned long)((struct RArray *)ary)->word << 1 >> 1);
}
static inline const VALUE *rb_array_const_ptr(VALUE ary)
{
    struct RArray *a = (struct RArray *)ary;
    return a->word < 0 ? a->as.heap.ptr : a->as.ary;
}
#define rb_array_len rb_array_len
#define RARRAY(obj) ((struct RArray *)(obj))
#define RARRAY_LEN(ary) rb_array_len((VALUE)(ary))
#define RARRAY_LENINT(ary) rb_long2int(RARRAY_LEN(ary))
#define RARRAY_CONST_PTR(ary) rb_array_const_ptr((VALUE)(ary))
#define RARRAY_CONST_PTR_TRANSIENT RARRAY_CONST_PTR
#define RARRAY_PTR(ary) rb_ary_writable_ptr((VALUE)(ary))
#define RARRAY_PTR_USE(ary, name, expr) do { VALUE *name = rb_ary_writable_ptr((VALUE)(ary)); expr; } while (0)
#define RARRAY_PTR_USE_TRANSIENT RARRAY_PTR_USE
#define rb_array_ptr_use_start(ary, transient) rb_ary_ptr_use_start(ary)
#define rb_array_ptr_use_end(ary, transient) rb_ary_ptr_use_end(ary)
#define RARRAY_AREF(ary, i) (RARRAY_CONST_PTR(ary)[i])
#define RARRAY_ASET(ary, i, v) rb_ary_write((VALUE)(ary), (i), (v))
#define RARRAY_EMBED_FLAG ((VALUE)0)

/* Hashes, structs, numbers and the rest. */
#define RHASH_SIZE(h) rb_hash_size_num(h)
#define RHASH_EMPTY_P(h) (RHASH_SIZE(h) == 0)
#define RHASH_TBL(h) rb_hash_tbl(h, __FILE__, __LINE__)
#define RHASH_IFNONE(h) rb_hash_ifnone(h)
#define RHASH_SET_IFNONE(h, ifnone) rb_hash_set_ifnone((VALUE)(h), (ifnone))
#define RSTRUCT_LEN(st) ((int)FIX2LONG(rb_struct_size(st)))
#define RSTRUCT_GET(st, idx) rb_struct_aref((st), INT2NUM(idx))
#define RSTRUCT_SET(st, idx, v) rb_struct_aset((st), INT2NUM(idx), (v))
#define RCLASS_SUPER rb_class_get_superclass
#define RMODULE_CONST_TBL(m) ((void *)0)
#define ROBJECT_EMBED ((VALUE)0)
#define ROBJECT(obj) ((struct RObject *)(obj))
#define RFLOAT_VALUE(v) rb_float_value(v)
#define RBIGNUM_SIGN(b) rb_big_sign(b)
#define RBIGNUM_POSITIVE_P(b) (rb_big_sign(b) != 0)
#define RBIGNUM_NEGATIVE_P(b) (rb_big_sign(b) == 0)
#define RFILE(obj) (&(struct RFile){{0}, rb_io_taint_check_fptr(obj)})

static inline VALUE rb_int2num_inline(int v)
{
    return RB_INT2FIX(v);
}
static inline VALUE rb_uint2num_inline(unsigned int v)
{
    return RB_INT2FIX(v);
}
static inline VALUE rb_long2num_inline(long v)
{
    return RB_FIXABLE(v) ? RB_LONG2FIX(v) : rb_int2big(v);
}
static inline VALUE rb_ulong2num_inline(unsigned long v)
{
    return v <= (unsigned long)RUBY_FIXNUM_MAX ? RB_LONG2FIX((long)v) : rb_uint2big(v);
}
static inline long rb_num2long_inline(VALUE x)
{
    return RB_FIXNUM_P(x) ? RB_FIX2LONG(x) : rb_num2long(x);
}
static inline unsigned long rb_num2ulong_inline(VALUE x)
{
    return RB_FIXNUM_P(x) ? RB_FIX2ULONG(x) : rb_num2ulong(x);
}
static inline int rb_num2int_inline(VALUE x)
{
    return RB_FIXNUM_P(x) ? (int)rb_fix2int(x) : (int)rb_num2int(x);
}
static inline unsigned int rb_num2uint_inline(VALUE x)
{
    return RB_FIXNUM_P(x) ? (unsigned int)rb_fix2uint(x) : (unsigned int)rb_num2uint(x);
}
static inline long long rb_num2ll_inline(VALUE x)
{
    return RB_FIXNUM_P(x) ? RB_FIX2LONG(x) : rb_num2ll(x);
}
static inline unsigned long long rb_num2ull_inline(VALUE x)
{
    return RB_FIXNUM_P(x) ? (unsigned long long)RB_FIX2LONG(x) : rb_num2ull(x);
}
static inline short rb_num2short_inline(VALUE x)
{
    return RB_FIXNUM_P(x) ? rb_fix2short(x) : rb_num2short(x);
}
static inline int rb_long2int_inline(long n)
{
    int i = (int)n;
    if (RB_UNLIKELY(i != n)) rb_out_of_int(n);
    return i;
}
#define rb_long2int(n) rb_long2int_inline(n)
static inline char rb_num2char_inline(VALUE x)
{
    if (RB_TYPE_P(x, RUBY_T_STRING) && RSTRING_LEN(x) >= 1) return RSTRING_PTR(x)[0];
    return (char)rb_num2int_inline(x);
}
#define RB_INT2NUM rb_int2num_inline
#define RB_UINT2NUM rb_uint2num_inline
#define RB_LONG2NUM rb_long2num_inline
#define RB_ULONG2NUM rb_ulong2num_inline
#define RB_NUM2LONG rb_num2long_inline
#define RB_NUM2ULONG rb_num2ulong_inline
#define RB_NUM2INT rb_num2int_inline
#define RB_NUM2UINT rb_num2uint_inline
#define RB_FIX2INT(x) ((int)rb_fix2int(x))
#define RB_FIX2UINT(x) ((unsigned int)rb_fix2uint(x))
#define RB_LL2NUM rb_ll2inum
#define RB_ULL2NUM rb_ull2inum
#define RB_NUM2LL rb_num2ll_inline
#define RB_NUM2ULL rb_num2ull_inline
#define RB_NUM2SHORT rb_num2short_inline
#define RB_NUM2USHORT rb_num2ushort
#define RB_NUM2CHR rb_num2char_inline
#define RB_CHR2FIX(c) RB_INT2FIX((long)((c) & 0xff))
#define INT2NUM RB_INT2NUM
#define UINT2NUM RB_UINT2NUM
#define LONG2NUM RB_LONG2NUM
#define ULONG2NUM RB_ULONG2NUM
#define LL2NUM RB_LL2NUM
#define ULL2NUM RB_ULL2NUM
#define NUM2LONG RB_NUM2LONG
#define NUM2ULONG RB_NUM2ULONG
#define NUM2INT RB_NUM2INT
#define NUM2UINT RB_NUM2UINT
#define NUM2LL RB_NUM2LL
#define NUM2ULL RB_NUM2ULL
#define NUM2SHORT RB_NUM2SHORT
#define NUM2USHORT RB_NUM2USHORT
#define FIX2INT RB_FIX2INT
#define FIX2UINT RB_FIX2UINT
#define FIX2SHORT(x) ((short)rb_fix2short(x))
#define NUM2CHR RB_NUM2CHR
#define CHR2FIX RB_CHR2FIX
#define USHORT2NUM(x) RB_INT2FIX(x)
#define SHORT2NUM(x) RB_INT2FIX(x)
#define NUM2DBL rb_num2dbl
#define DBL2NUM rb_float_new
#define RB_NUM2SIZE(x) ((size_t)RB_NUM2ULONG(x))
#define RB_NUM2SSIZE(x) ((ssize_t)RB_NUM2LONG(x))
#define RB_SIZE2NUM(x) RB_ULONG2NUM(x)
#define RB_SSIZE2NUM(x) RB_LONG2NUM(x)
#define SIZET2NUM RB_SIZE2NUM
#define SSIZET2NUM RB_SSIZE2NUM
#define NUM2SIZET RB_NUM2SIZE
#define NUM2SSIZET RB_NUM2SSIZE
#define OFFT2NUM(v) LONG2NUM(v)
#define NUM2OFFT(v) ((off_t)NUM2LONG(v))
#define INT2DBL(v) ((double)(v))
#define ST2FIX RB_ST2FIX
#define RB_ST2FIX(h) LONG2FIX((long)((h) >> 1 << 1 >> 2))
#define PTR2NUM(x) ULONG2NUM((unsigned long)(x))
#define NUM2PTR(x) ((void *)NUM2ULONG(x))
#define rb_float_new_inline rb_float_new
#define rb_float_value rb_float_value
#define rb_int_new rb_int2inum
#define rb_uint_new rb_uint2inum
#define rb_fix_new(v) INT2FIX(v)

#define RB_SYM2ID rb_sym2id
#define SYM2ID RB_SYM2ID

#define StringValue(v) rb_string_value(&(v))
#define StringValuePtr(v) rb_string_value_ptr(&(v))
#define StringValueCStr(v) rb_string_value_cstr(&(v))
#define SafeStringValue(v) StringValue(v)
#define ExportStringValue(v) do { StringValue(v); (v) = rb_str_export(v); } while (0)
#define FilePathValue(v) ((v) = rb_get_path(v))
#define FilePathStringValue(v) ((v) = rb_get_path(v))
#define rb_get_path_no_checksafe rb_get_path

/* Names that are looked up once. */
#define RUBY_CONST_ID_CACHE(result, str) \
    { \
        static ID rb_intern_id_cache; \
        if (!rb_intern_id_cache) rb_intern_id_cache = rb_intern2((str), (long)strlen(str)); \
        result rb_intern_id_cache; \
    }
#define RUBY_CONST_ID(var, str) do RUBY_CONST_ID_CACHE((var) =, (str)) while (0)
#define CONST_ID_CACHE RUBY_CONST_ID_CACHE
#define CONST_ID RUBY_CONST_ID
static inline ID rb_intern_const(const char *str)
{
    return rb_intern2(str, (long)strlen(str));
}
#ifndef __cplusplus
# define rb_intern(str) \
    (__builtin_constant_p(str) \
        ? __extension__ ({ \
              static ID rbl_id; \
              if (!rbl_id) rbl_id = rb_intern2((str), (long)strlen(str)); \
              rbl_id; \
          }) \
        : (rb_intern)(str))
#endif

static inline int rb_check_arity_inline(int argc, int min, int max)
{
    if (argc < min || (max != UNLIMITED_ARGUMENTS && argc > max)) rb_error_arity(argc, min, max);
    return argc;
}
#define rb_check_arity rb_check_arity_inline

#define RETURN_SIZED_ENUMERATOR_KW(obj, argc, argv, size_fn, kw) \
    do { \
        if (!rb_block_given_p()) \
            return rb_enumeratorize_with_size_kw((obj), ID2SYM(rb_frame_this_func()), (argc), (argv), \
                (rb_enumerator_size_func *)(size_fn), (kw)); \
    } while (0)
#define RETURN_SIZED_ENUMERATOR(obj, argc, argv, size_fn) \
    do { \
        if (!rb_block_given_p()) \
            return rb_enumeratorize_with_size((obj), ID2SYM(rb_frame_this_func()), (argc), (argv), \
                (rb_enumerator_size_func *)(size_fn)); \
    } while (0)
#define RETURN_ENUMERATOR(obj, argc, argv) RETURN_SIZED_ENUMERATOR(obj, argc, argv, 0)
#define RETURN_ENUMERATOR_KW(obj, argc, argv, kw) RETURN_SIZED_ENUMERATOR_KW(obj, argc, argv, 0, kw)
#define SIZED_ENUMERATOR(obj, argc, argv, size_fn) \
    rb_enumeratorize_with_size((obj), ID2SYM(rb_frame_this_func()), (argc), (argv), \
        (rb_enumerator_size_func *)(size_fn))

#endif

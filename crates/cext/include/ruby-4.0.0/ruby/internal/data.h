#ifndef RUBELLITE_INTERNAL_DATA_H
#define RUBELLITE_INTERNAL_DATA_H
/* Objects with data of C code, and what the collector must know of it. */
#include "ruby/internal/inline.h"

RBL_BEGIN_DECLS
VALUE rb_data_object_wrap(VALUE, void *, RUBY_DATA_FUNC, RUBY_DATA_FUNC);
VALUE rb_data_object_zalloc(VALUE, size_t, RUBY_DATA_FUNC, RUBY_DATA_FUNC);
void rb_gc_writebarrier(VALUE, VALUE);
/* What headers called before; extensions that were compiled with them still do. */
void rb_obj_note_written(VALUE, VALUE);
void rb_gc_writebarrier_unprotect(VALUE);
void *rb_runtime_data(VALUE);
RBL_END_DECLS

#define RDATA(obj) ((struct RData *)(obj))
#define RTYPEDDATA(obj) ((struct RTypedData *)(obj))
#define DATA_PTR(obj) (RDATA(obj)->data)
#define RTYPEDDATA_DATA(obj) (RTYPEDDATA(obj)->data)
/* Of objects of the runtime's own a few have data for C code. */
static inline void *RTYPEDDATA_GET_DATA(VALUE obj)
{
    return (RBASIC(obj)->flags & RUBY_T_MASK) == RUBY_T_DATA ? RTYPEDDATA(obj)->data : rb_runtime_data(obj);
}
#define RTYPEDDATA_GET_DATA RTYPEDDATA_GET_DATA
#define RTYPEDDATA_P(obj) rbtypeddata_p(obj)
#define RTYPEDDATA_TYPE(obj) (RTYPEDDATA(obj)->type)
#define RTYPEDDATA_EMBEDDED_P(obj) 0
static inline bool rbtypeddata_p(VALUE obj)
{
    return !RB_SPECIAL_CONST_P(obj) && (RBASIC(obj)->flags & RUBY_T_MASK) == RUBY_T_DATA
        && RTYPEDDATA(obj)->typed_flag == 1;
}

#define rb_data_object_alloc rb_data_object_wrap
#define rb_data_typed_object_alloc rb_data_typed_object_wrap
#define rb_data_object_make(klass, mark, free, ptr, size) rbl_data_make((klass), (mark), (free), (void **)(ptr), (size))

#define Data_Wrap_Struct(klass, mark, free, sval) \
    rb_data_object_wrap((klass), (sval), (RUBY_DATA_FUNC)(mark), (RUBY_DATA_FUNC)(free))
#define Data_Make_Struct0(result, klass, type, size, mark, free, sval) \
    VALUE result = rb_data_object_zalloc((klass), (size), (RUBY_DATA_FUNC)(mark), (RUBY_DATA_FUNC)(free)); \
    (sval) = (type *)DATA_PTR(result); \
    (void)(sval)
#define Data_Make_Struct(klass, type, mark, free, sval) \
    __extension__ ({ Data_Make_Struct0(rbl_result, klass, type, sizeof(type), mark, free, sval); rbl_result; })
#define Data_Get_Struct(obj, type, sval) ((sval) = (type *)rb_data_object_get(obj))
static inline void *rb_data_object_get(VALUE obj)
{
    if (RB_UNLIKELY(RB_SPECIAL_CONST_P(obj) || (RBASIC(obj)->flags & RUBY_T_MASK) != RUBY_T_DATA))
        rb_unexpected_type(obj, RUBY_T_DATA);
    return DATA_PTR(obj);
}

#define TypedData_Wrap_Struct(klass, data_type, sval) rb_data_typed_object_wrap((klass), (sval), (data_type))
#define TypedData_Make_Struct0(result, klass, type, size, data_type, sval) \
    VALUE result = rb_data_typed_object_zalloc((klass), (size), (data_type)); \
    (sval) = (type *)RTYPEDDATA_GET_DATA(result); \
    (void)(sval)
#define TypedData_Make_Struct(klass, type, data_type, sval) \
    __extension__ ({ TypedData_Make_Struct0(rbl_result, klass, type, sizeof(type), data_type, sval); rbl_result; })
#define TypedData_Get_Struct(obj, type, data_type, sval) ((sval) = (type *)rb_check_typeddata((obj), (data_type)))
#define Check_TypedStruct(v, t) rb_check_typeddata((v), (t))

/* Objects never move. The barrier tells that an object holds a reference now;
 * an object that is unprotected needs none. */
#define RB_OBJ_WRITE(old, slot, young) rb_obj_write((VALUE)(old), (VALUE *)(slot), (VALUE)(young), __FILE__, __LINE__)
#define RB_OBJ_WRITTEN(old, oldv, young) rb_obj_written((VALUE)(old), (VALUE)(oldv), (VALUE)(young), __FILE__, __LINE__)
static inline VALUE rb_obj_written(VALUE a, VALUE old, VALUE b, const char *file, int line)
{
    (void)old;
    (void)file;
    (void)line;
    if (!RB_SPECIAL_CONST_P(b)) rb_gc_writebarrier(a, b);
    return a;
}
static inline VALUE rb_obj_write(VALUE a, VALUE *slot, VALUE b, const char *file, int line)
{
    *slot = b;
    return rb_obj_written(a, Qundef, b, file, line);
}
static inline VALUE rb_obj_wb_unprotect(VALUE x)
{
    rb_gc_writebarrier_unprotect(x);
    return x;
}
#define RB_OBJ_WB_UNPROTECT(x) rb_obj_wb_unprotect((VALUE)(x))
#define RB_OBJ_WB_UNPROTECT_FOR(type, obj) RB_OBJ_WB_UNPROTECT(obj)
#define OBJ_WB_UNPROTECT RB_OBJ_WB_UNPROTECT
#define RB_OBJ_PROMOTED(x) 0
#define RB_OBJ_PROMOTED_RAW(x) 0

#define RB_GC_GUARD(v) \
    (*__extension__ ({ \
        volatile VALUE *rb_gc_guarded_ptr = &(v); \
        __asm__("" : : "m"(rb_gc_guarded_ptr)); \
        rb_gc_guarded_ptr; \
    }))

#endif

#ifndef RUBELLITE_RUBY_INTERNAL_ANYARGS_H
#define RUBELLITE_RUBY_INTERNAL_ANYARGS_H
/* Functions that take functions. In C++ they take those of type VALUE (...) as well, to which older extensions cast. */
#include "ruby/internal/api.h"

#ifdef __cplusplus
/* Extensions include the headers between the braces of extern "C", where nothing may be overloaded. */
extern "C++" {
/* Beside the functions and not of their names' own scope: `::rb_protect` is the function alone. */
namespace rbl_any {

typedef VALUE rbl_anyargs_t(...);
typedef int rbl_int_anyargs_t(...);
typedef void rbl_void_anyargs_t(...);

static inline VALUE rb_rescue(rbl_anyargs_t *body, VALUE a, rbl_anyargs_t *rescue, VALUE b)
{
    return ::rb_rescue((VALUE (*)(VALUE))body, a, (VALUE (*)(VALUE, VALUE))rescue, b);
}
static inline VALUE rb_ensure(rbl_anyargs_t *body, VALUE a, rbl_anyargs_t *ensure, VALUE b)
{
    return ::rb_ensure((VALUE (*)(VALUE))body, a, (VALUE (*)(VALUE))ensure, b);
}
static inline VALUE rb_protect(rbl_anyargs_t *body, VALUE a, int *state)
{
    return ::rb_protect((VALUE (*)(VALUE))body, a, state);
}
static inline VALUE rb_catch(const char *tag, rbl_anyargs_t *body, VALUE a)
{
    return ::rb_catch(tag, (rb_block_call_func_t)body, a);
}
static inline VALUE rb_block_call(VALUE object, ID name, int argc, const VALUE *argv, rbl_anyargs_t *block, VALUE a)
{
    return ::rb_block_call(object, name, argc, argv, (rb_block_call_func_t)block, a);
}
static inline VALUE rb_iterate(rbl_anyargs_t *body, VALUE a, rbl_anyargs_t *block, VALUE b)
{
    return ::rb_iterate((VALUE (*)(VALUE))body, a, (rb_block_call_func_t)block, b);
}
static inline VALUE rb_proc_new(rbl_anyargs_t *body, VALUE a)
{
    return ::rb_proc_new((rb_block_call_func_t)body, a);
}
static inline VALUE rb_thread_create(rbl_anyargs_t *body, void *data)
{
    return ::rb_thread_create((VALUE (*)(void *))body, data);
}
static inline void rb_hash_foreach(VALUE hash, rbl_int_anyargs_t *body, VALUE a)
{
    ::rb_hash_foreach(hash, (int (*)(VALUE, VALUE, VALUE))body, a);
}

static inline void rb_ivar_foreach(VALUE object, rbl_int_anyargs_t *body, st_data_t a)
{
    ::rb_ivar_foreach(object, (int (*)(ID, VALUE, st_data_t))body, a);
}
static inline int rb_st_foreach(st_table *table, rbl_int_anyargs_t *body, st_data_t a)
{
    return ::rb_st_foreach(table, (st_foreach_callback_func *)body, a);
}
static inline int rb_st_foreach_safe(st_table *table, rbl_int_anyargs_t *body, st_data_t a)
{
    return ::rb_st_foreach_safe(table, (st_foreach_callback_func *)body, a);
}
static inline int rb_st_foreach_check(st_table *table, rbl_int_anyargs_t *body, st_data_t a, st_data_t never)
{
    return ::rb_st_foreach_check(table, (st_foreach_check_callback_func *)body, a, never);
}
static inline VALUE rb_catch_obj(VALUE tag, rbl_anyargs_t *body, VALUE a)
{
    return ::rb_catch_obj(tag, (rb_block_call_func_t)body, a);
}
static inline VALUE rb_fiber_new(rbl_anyargs_t *body, VALUE a)
{
    return ::rb_fiber_new((rb_block_call_func_t)body, a);
}
static inline VALUE rb_rescue2(rbl_anyargs_t *body, VALUE a, rbl_anyargs_t *rescue, VALUE b, ...)
{
    va_list classes;
    va_start(classes, b);
    VALUE result = rb_vrescue2((VALUE (*)(VALUE))body, a, (VALUE (*)(VALUE, VALUE))rescue, b, classes);
    va_end(classes);
    return result;
}

/* A function of its type, or of any arguments, or none. */
template <typename Function, typename Any> struct rbl_given {
    Function *function;
    rbl_given(Function *given) : function(given) {}
    rbl_given(Any *given) : function((Function *)given) {}
    rbl_given(long) : function(0) {}
#if __cplusplus >= 201103L
    rbl_given(decltype(nullptr)) : function(0) {}
#endif
};
typedef rbl_given<rb_gvar_getter_t, rbl_anyargs_t> rbl_getter_t;
typedef rbl_given<rb_gvar_setter_t, rbl_void_anyargs_t> rbl_setter_t;

static inline void rb_define_virtual_variable(const char *name, rbl_getter_t get, rbl_setter_t set)
{
    ::rb_define_virtual_variable(name, get.function, set.function);
}
static inline void rb_define_hooked_variable(const char *name, VALUE *variable, rbl_getter_t get, rbl_setter_t set)
{
    ::rb_define_hooked_variable(name, variable, get.function, set.function);
}

/* Methods are of any number of arguments: what defines them takes functions of the types that methods have, of which
 * one name may have several, and else what becomes a function: one of any arguments, a lambda that captures nothing.
 * These are macros, for programs pass the functions themselves on, which must not be overloaded then. */
#if __cplusplus >= 201103L
namespace defining {
#define RBL_DEFINES(name) \
    template <typename... Args> \
    static inline void name(VALUE module, const char *method, VALUE (*function)(Args...), int argc) \
    { \
        ::name(module, method, reinterpret_cast<VALUE (*)(...)>(function), argc); \
    } \
    template <typename Other> static inline void name(VALUE module, const char *method, Other function, int argc) \
    { \
        ::name(module, method, reinterpret_cast<VALUE (*)(...)>(+function), argc); \
    }
RBL_DEFINES(rb_define_method)
RBL_DEFINES(rb_define_private_method)
RBL_DEFINES(rb_define_protected_method)
RBL_DEFINES(rb_define_singleton_method)
RBL_DEFINES(rb_define_module_function)
#undef RBL_DEFINES

template <typename... Args>
static inline void rb_define_method_id(VALUE module, ID method, VALUE (*function)(Args...), int argc)
{
    ::rb_define_method_id(module, method, reinterpret_cast<VALUE (*)(...)>(function), argc);
}
template <typename Other> static inline void rb_define_method_id(VALUE module, ID method, Other function, int argc)
{
    ::rb_define_method_id(module, method, reinterpret_cast<VALUE (*)(...)>(+function), argc);
}
template <typename... Args>
static inline void rb_define_global_function(const char *method, VALUE (*function)(Args...), int argc)
{
    ::rb_define_global_function(method, reinterpret_cast<VALUE (*)(...)>(function), argc);
}
template <typename Other> static inline void rb_define_global_function(const char *method, Other function, int argc)
{
    ::rb_define_global_function(method, reinterpret_cast<VALUE (*)(...)>(+function), argc);
}
}
#define rb_define_method(...) ::rbl_any::defining::rb_define_method(__VA_ARGS__)
#define rb_define_method_id(...) ::rbl_any::defining::rb_define_method_id(__VA_ARGS__)
#define rb_define_private_method(...) ::rbl_any::defining::rb_define_private_method(__VA_ARGS__)
#define rb_define_protected_method(...) ::rbl_any::defining::rb_define_protected_method(__VA_ARGS__)
#define rb_define_singleton_method(...) ::rbl_any::defining::rb_define_singleton_method(__VA_ARGS__)
#define rb_define_module_function(...) ::rbl_any::defining::rb_define_module_function(__VA_ARGS__)
#define rb_define_global_function(...) ::rbl_any::defining::rb_define_global_function(__VA_ARGS__)
#endif
}
using namespace rbl_any;
}

#else
/* In C an empty list of parameters is no parameter since C23, and compilers refuse functions of other types: whatever
 * function is given is cast, over the type that compilers warn of no cast from. */
#define RBL_METHOD(function) ((VALUE (*)(ANYARGS))(void (*)(void))(function))
#define rb_define_method(class, name, function, argc) rb_define_method((class), (name), RBL_METHOD(function), (argc))
#define rb_define_method_id(class, name, function, argc) \
    rb_define_method_id((class), (name), RBL_METHOD(function), (argc))
#define rb_define_private_method(class, name, function, argc) \
    rb_define_private_method((class), (name), RBL_METHOD(function), (argc))
#define rb_define_protected_method(class, name, function, argc) \
    rb_define_protected_method((class), (name), RBL_METHOD(function), (argc))
#define rb_define_singleton_method(object, name, function, argc) \
    rb_define_singleton_method((object), (name), RBL_METHOD(function), (argc))
#define rb_define_module_function(module, name, function, argc) \
    rb_define_module_function((module), (name), RBL_METHOD(function), (argc))
#define rb_define_global_function(name, function, argc) rb_define_global_function((name), RBL_METHOD(function), (argc))
#endif
#endif

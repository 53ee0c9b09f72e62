#ifndef RUBELLITE_RUBY_DEFINES_H
#define RUBELLITE_RUBY_DEFINES_H
#include "ruby/config.h"
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#include <stdarg.h>
#include <stdint.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <limits.h>
#include <alloca.h>
#include <unistd.h>
#include <sys/types.h>
#include <sys/stat.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <math.h>
#ifndef __cplusplus
# include <stdbool.h>
#endif

#define RUBY

#ifdef __cplusplus
# define RBL_BEGIN_DECLS extern "C" {
# define RBL_END_DECLS }
# define ANYARGS ...
#else
# define RBL_BEGIN_DECLS
# define RBL_END_DECLS
# define ANYARGS
#endif
#define RBL_NORETURN __attribute__((__noreturn__))
#define RBL_FORMAT(a, b) __attribute__((__format__(__printf__, a, b)))

#define RUBY_SYMBOL_EXPORT_BEGIN RBL_BEGIN_DECLS
#define RUBY_SYMBOL_EXPORT_END RBL_END_DECLS
#define RBIMPL_SYMBOL_EXPORT_BEGIN() RBL_BEGIN_DECLS
#define RBIMPL_SYMBOL_EXPORT_END() RBL_END_DECLS
#define RUBY_EXTERN extern
#define RUBY_FUNC_EXPORTED __attribute__((__visibility__("default"))) extern
#define RUBY_FUNC_NONNULL(n, x) __attribute__((__nonnull__(n))) x
#define RUBY_ATTR_MALLOC __attribute__((__malloc__))
#define RUBY_ATTR_ALLOC_SIZE(p) __attribute__((__alloc_size__ p))
#define RUBY_CXX_DEPRECATED(m)
#define PRINTF_ARGS(decl, a, b) __attribute__((__format__(__printf__, a, b))) decl
#define RB_UNUSED_VAR(x) x __attribute__((__unused__))
#define RB_LIKELY(x) __builtin_expect(!!(x), 1)
#define RB_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define RBIMPL_ASSERT_OR_ASSUME(x) ((void)0)
#define RBIMPL_ASSERT_NOTHING ((void)0)
#define RBIMPL_UNREACHABLE_RETURN(x) return (__builtin_unreachable(), (x))
#define RBIMPL_UNREACHABLE() __builtin_unreachable()
#define RBIMPL_ATTR_FORCEINLINE() __attribute__((__always_inline__)) inline
#define RBIMPL_ATTR_MAYBE_UNUSED() __attribute__((__unused__))
#define RBIMPL_ATTR_NOINLINE() __attribute__((__noinline__))
#define RBIMPL_ATTR_WARNING(m) __attribute__((__warning__ m))
#define RBIMPL_ATTR_ERROR(m) __attribute__((__error__ m))
#define RBIMPL_ATTR_WEAKREF(sym) __attribute__((__weakref__(#sym)))
#define RBIMPL_ATTR_ALLOC_SIZE(x)
#define RBIMPL_ATTR_CONST_UNLESS_DEBUG()
#define RBIMPL_ATTR_PURE_UNLESS_DEBUG()
#define RBIMPL_ATTR_CONSTEXPR(x)
#define RBIMPL_ATTR_CONSTEXPR_UNLESS_DEBUG(x)
#define RBIMPL_ATTR_DEPRECATED_EXT(m)
#define RBIMPL_ATTR_DEPRECATED_SINCE(x)
#define RBIMPL_ATTR_DEPRECATED_INTERNAL(x)
#define RBIMPL_ATTR_DIAGNOSE_IF(x, y, z)
#define RBIMPL_ATTR_ENUM_EXTENSIBILITY(x)
#define RBIMPL_ATTR_NODISCARD()
#define RBIMPL_ATTR_NOEXCEPT(x)
#define RBIMPL_ATTR_PACKED_STRUCT_UNALIGNED_BEGIN()
#define RBIMPL_ATTR_PACKED_STRUCT_UNALIGNED_END()
#define RBIMPL_ATTR_RESTRICT()
#define RBIMPL_ATTR_RETURNS_NONNULL()
#define RBIMPL_PRINTF_FORMAT __printf__
#define RBIMPL_NONNULL_ARG(x) ((void)0)
#define RBIMPL_CONSTANT_P(x) __builtin_constant_p(x)
#define RBIMPL_HAS_C_ATTRIBUTE(x) 0
#define RBIMPL_HAS_CPP_ATTRIBUTE(x) 0
#define RBIMPL_HAS_DECLSPEC_ATTRIBUTE(x) 0
#define RBIMPL_HAS_EXTENSION(x) 0
#define RBIMPL_HAS_FEATURE(x) 0
#define RBIMPL_HAS_WARNING(x) 0
#define RBIMPL_COMPILER_IS(x) 0
#define RBIMPL_COMPILER_BEFORE(cc, x, y, z) 0
#define RBIMPL_WARNING_PUSH() _Pragma("GCC diagnostic push")
#define RBIMPL_WARNING_POP() _Pragma("GCC diagnostic pop")
#define RBIMPL_WARNING_PRAGMA(x) _Pragma(#x)
#define RBIMPL_WARNING_IGNORED(flag) RBIMPL_WARNING_PRAGMA(GCC diagnostic ignored #flag)
#define RBIMPL_WARNING_ERROR(flag) RBIMPL_WARNING_PRAGMA(GCC diagnostic error #flag)
#ifdef __cplusplus
# define RBIMPL_ALIGNAS(x) alignas(x)
# define RBIMPL_ALIGNOF(x) alignof(x)
#else
# define RBIMPL_ALIGNAS(x) _Alignas(x)
# define RBIMPL_ALIGNOF(x) _Alignof(x)
#endif
#define RUBY_ATTR_RETURNS_NONNULL
#define PACKED_STRUCT(x) x __attribute__((__packed__))
#define PACKED_STRUCT_UNALIGNED(x) x
#define HAVE_ATTRIBUTE_ERRORFUNC 1
#define HAVE_ATTRIBUTE_WARNINGFUNC 1
#define GCC_VERSION_SINCE(x, y, z) \
    (__GNUC__ * 10000 + __GNUC_MINOR__ * 100 + __GNUC_PATCHLEVEL__ >= (x) * 10000 + (y) * 100 + (z))
#define GCC_VERSION_BEFORE(x, y, z) (!GCC_VERSION_SINCE((x), (y), (z)))
#define CASEFOLD_FILESYSTEM 0
#ifdef __SIZEOF_INT128__
# define DSIZE_T unsigned __int128
#endif
#define RBIMPL_ATTR_NONNULL(x)
#define RBIMPL_ATTR_NORETURN() RBL_NORETURN
#define RBIMPL_ATTR_NOALIAS()
#define RBIMPL_ATTR_PURE()
#define RBIMPL_ATTR_CONST()
#define RBIMPL_ATTR_COLD()
#define RBIMPL_ATTR_FORMAT(x, y, z)
#define RBIMPL_ATTR_DEPRECATED(m)
#define RBIMPL_ATTR_FLAG_ENUM()
#define RBIMPL_ATTR_ARTIFICIAL()
#define RBIMPL_HAS_ATTRIBUTE(x) 0
#define RBIMPL_CAST(x) (x)
#define RBIMPL_RETURNS_NONNULL()
#define RBIMPL_HAS_BUILTIN(x) 0
#define RBIMPL_COMPILER_SINCE(cc, x, y, z) 0
#define UNALIGNED_WORD_ACCESS 0
#define LONG_LONG long long
#define PRI_CHAR_PREFIX "hh"
#define PRI_SHORT_PREFIX "h"
#define PRI_INT_PREFIX ""
#define PRI_LONG_PREFIX "l"
#define PRI_64_PREFIX "l"
#define SIZEOF_ID 8
#define RUBY_VM 1
#define RUBY_NDEBUG 1
#define RUBY_DEBUG 0
#define GC_GUARDED_PTR_REF(p) (p)

#ifndef MAXPATHLEN
# define MAXPATHLEN 4096
#endif
#define RUBY_MBCHAR_MAXSIZE INT_MAX
#define PATH_SEP ":"
#define PATH_SEP_CHAR ':'
#define PATH_ENV "PATH"

#define _(args) args
#define __(args) args
#define rb_pid_t pid_t
#define FLUSH_REGISTER_WINDOWS ((void)0)
#define TOKEN_PASTE(x, y) x##y
#define STRINGIZE(expr) STRINGIZE0(expr)
#define STRINGIZE0(expr) #expr
#define numberof(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define rb_strlen_lit(str) (sizeof(str "") - 1)
#define DECIMAL_SIZE_OF_BITS(n) (((n) * 3010 + 9998) / 9999)
#define DECIMAL_SIZE_OF(expr) DECIMAL_SIZE_OF_BITS(sizeof(expr) * CHAR_BIT)
#define DECIMAL_SIZE_OF_BYTES(n) DECIMAL_SIZE_OF_BITS((n) * CHAR_BIT)

#define RUBY_ASSERT_ALWAYS(expr) ((expr) ? (void)0 : rb_bug("assertion failed: %s (%s:%d)", #expr, __FILE__, __LINE__))
#define RUBY_ASSERT_MESG(expr, mesg) ((void)0)
#define RUBY_ASSERT(expr) ((void)0)
#define RUBY_ASSERT_NDEBUG(expr) ((void)0)
#define RUBY_ASSERT_MESG_WHEN(cond, expr, mesg) ((void)0)
#define RUBY_ASSERT_WHEN(cond, expr) ((void)0)

#include "ruby/missing.h"
#endif

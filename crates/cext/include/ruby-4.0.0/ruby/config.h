#ifndef RUBELLITE_RUBY_CONFIG_H
#define RUBELLITE_RUBY_CONFIG_H
/* What the build's system offers. Linux with a 64-bit C compiler of the GNU kind is what the runtime is made for. */

#define RUBELLITE 1

/* What an extension's own extconf.rb has found. */
#ifdef RUBY_EXTCONF_H
# include RUBY_EXTCONF_H
#endif

#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_SELECT_H 1
#define HAVE_SYS_PARAM_H 1
#define HAVE_SYS_IOCTL_H 1
#define HAVE_SYS_SOCKET_H 1
#define HAVE_SYS_UIO_H 1
#define HAVE_SYS_FCNTL_H 1
#define HAVE_SYS_FILE_H 1
#define HAVE_SYS_RESOURCE_H 1
#define HAVE_SYS_TIMES_H 1
#define HAVE_SYS_WAIT_H 1
#define HAVE_SYS_EVENTFD_H 1
#define HAVE_SYS_EPOLL_H 1
#define HAVE_STDARG_PROTOTYPES 1
#define HAVE_STDLIB_H 1
#define HAVE_STRING_H 1
#define HAVE_STRINGS_H 1
#define HAVE_MEMORY_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDALIGN_H 1
#define HAVE_STDATOMIC_H 1
#define HAVE_STDBOOL_H 1
#define HAVE_UNISTD_H 1
#define HAVE_LIMITS_H 1
#define HAVE_ALLOCA_H 1
#define HAVE_FCNTL_H 1
#define HAVE_LANGINFO_H 1
#define HAVE_LOCALE_H 1
#define HAVE_MALLOC_H 1
#define HAVE_PWD_H 1
#define HAVE_GRP_H 1
#define HAVE_TIME_H 1
#define HAVE_UTIME_H 1
#define HAVE_SYSCALL_H 1
#define HAVE_PTHREAD_H 1
#define HAVE_FLOAT_H 1
#define HAVE_DLFCN_H 1

#define HAVE_LONG_LONG 1
#define HAVE_OFF_T 1
#define HAVE_INT64_T 1
#define HAVE_UINT64_T 1
#define HAVE_INT128_T 1
#define HAVE_INTPTR_T 1
#define HAVE_UINTPTR_T 1
#define HAVE_INTMAX_T 1
#define HAVE_UINTMAX_T 1
#define HAVE_SSIZE_T 1
#define HAVE_ALLOCA 1
#define HAVE_TRUE_LONG_LONG 1
#define HAVE_PROTOTYPES 1
#define HAVE_STRUCT_TIMESPEC 1
#define HAVE_STRUCT_TIMEVAL 1
#define HAVE_STRUCT_TIMEZONE 1
#define HAVE_STRUCT_TM_TM_GMTOFF 1
#define HAVE_STRUCT_TM_TM_ZONE 1
#define HAVE_TM_ZONE 1
#define HAVE_RB_FD_INIT 1

#define SIZEOF_INT 4
#define SIZEOF_SHORT 2
#define SIZEOF_LONG 8
#define SIZEOF_LONG_LONG 8
#define SIZEOF___INT64 0
#define SIZEOF___INT128 16
#define SIZEOF_OFF_T 8
#define SIZEOF_VOIDP 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_TIME_T 8
#define SIZEOF_CLOCK_T 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_PTRDIFF_T 8
#define SIZEOF_DEV_T 8
#define SIZEOF_INTPTR_T 8
#define SIZEOF_UINTPTR_T 8
#define SIZEOF_INTMAX_T 8
#define SIZEOF_UINTMAX_T 8
#define SIZEOF_INT8_T 1
#define SIZEOF_INT16_T 2
#define SIZEOF_INT32_T 4
#define SIZEOF_INT64_T 8
#define SIZEOF_UINT8_T 1
#define SIZEOF_UINT16_T 2
#define SIZEOF_UINT32_T 4
#define SIZEOF_UINT64_T 8
#define SIZEOF_INT128_T 16
#define SIZEOF_PID_T 4
#define SIZEOF_RLIM_T 8
#define SIZEOF_VALUE 8

#define HAVE_ACOSH 1
#define HAVE_CBRT 1
#define HAVE_CHMOD 1
#define HAVE_CLOCK_GETTIME 1
#define HAVE_CRYPT 1
#define HAVE_DUP3 1
#define HAVE_ERF 1
#define HAVE_EVENTFD 1
#define HAVE_FCHMOD 1
#define HAVE_FCNTL 1
#define HAVE_FINITE 1
#define HAVE_FLOCK 1
#define HAVE_FORK 1
#define HAVE_GETCWD 1
#define HAVE_GETGRNAM 1
#define HAVE_GETPGID 1
#define HAVE_GETPWNAM 1
#define HAVE_GETRLIMIT 1
#define HAVE_GETTIMEOFDAY 1
#define HAVE_GMTIME_R 1
#define HAVE_HYPOT 1
#define HAVE_ISINF 1
#define HAVE_ISNAN 1
#define HAVE_KILLPG 1
#define HAVE_LGAMMA_R 1
#define HAVE_LINK 1
#define HAVE_LOCALTIME_R 1
#define HAVE_LOG2 1
#define HAVE_LSTAT 1
#define HAVE_MEMMEM 1
#define HAVE_MEMMOVE 1
#define HAVE_MEMRCHR 1
#define HAVE_MKFIFO 1
#define HAVE_MKTIME 1
#define HAVE_NAN 1
#define HAVE_NEXTAFTER 1
#define HAVE_PIPE2 1
#define HAVE_POLL 1
#define HAVE_POSIX_FADVISE 1
#define HAVE_POSIX_MEMALIGN 1
#define HAVE_PPOLL 1
#define HAVE_PREAD 1
#define HAVE_PWRITE 1
#define HAVE_QSORT_R 1
#define HAVE_READLINK 1
#define HAVE_ROUND 1
#define HAVE_SETENV 1
#define HAVE_SIGACTION 1
#define HAVE_SNPRINTF 1
#define HAVE_SOCKETPAIR 1
#define HAVE_STRCASECMP 1
#define HAVE_STRCHR 1
#define HAVE_STRDUP 1
#define HAVE_STRERROR 1
#define HAVE_STRERROR_R 1
#define HAVE_STRFTIME 1
#define HAVE_STRNCASECMP 1
#define HAVE_STRSTR 1
#define HAVE_STRTOD 1
#define HAVE_STRTOL 1
#define HAVE_STRTOLL 1
#define HAVE_STRTOUL 1
#define HAVE_STRTOULL 1
#define HAVE_SYMLINK 1
#define HAVE_TGAMMA 1
#define HAVE_TIMEGM 1
#define HAVE_TRUNCATE 1
#define HAVE_TZSET 1
#define HAVE_UNSETENV 1
#define HAVE_USLEEP 1
#define HAVE_VSNPRINTF 1
#define HAVE_WAITPID 1
#define HAVE_BUILTIN___BUILTIN_BSWAP16 1
#define HAVE_BUILTIN___BUILTIN_BSWAP32 1
#define HAVE_BUILTIN___BUILTIN_BSWAP64 1
#define HAVE_BUILTIN___BUILTIN_CLZ 1
#define HAVE_BUILTIN___BUILTIN_CLZL 1
#define HAVE_BUILTIN___BUILTIN_CLZLL 1
#define HAVE_BUILTIN___BUILTIN_CTZ 1
#define HAVE_BUILTIN___BUILTIN_CTZLL 1
#define HAVE_BUILTIN___BUILTIN_EXPECT 1
#define HAVE_BUILTIN___BUILTIN_POPCOUNT 1
#define HAVE_BUILTIN___BUILTIN_POPCOUNTLL 1
#define HAVE_BUILTIN___BUILTIN_ADD_OVERFLOW 1
#define HAVE_BUILTIN___BUILTIN_MUL_OVERFLOW 1
#define HAVE_BUILTIN___BUILTIN_SUB_OVERFLOW 1
#define HAVE_BUILTIN___BUILTIN_CONSTANT_P 1
#define HAVE_BUILTIN___BUILTIN_CHOOSE_EXPR 1
#define HAVE_BUILTIN___BUILTIN_TYPES_COMPATIBLE_P 1
#define HAVE_BUILTIN___BUILTIN_TRAP 1
#define HAVE_BUILTIN___BUILTIN_UNREACHABLE 1
#define HAVE_STMT_AND_DECL_IN_EXPR 1
#define HAVE_TYPEOF 1
#define HAVE_VA_ARGS_MACRO 1
#define HAVE_GCC_ATOMIC_BUILTINS 1
#define HAVE_GCC_SYNC_BUILTINS 1

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
# define WORDS_BIGENDIAN 1
#endif

#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1
#endif

#define RETSIGTYPE void
#define GETGROUPS_T gid_t
#define PIDT2NUM(v) INT2NUM(v)
#define NUM2PIDT(v) NUM2INT(v)
#define UIDT2NUM(v) UINT2NUM(v)
#define NUM2UIDT(v) NUM2UINT(v)
#define GIDT2NUM(v) UINT2NUM(v)
#define NUM2GIDT(v) NUM2UINT(v)
#define TIMET2NUM(v) LONG2NUM(v)
#define NUM2TIMET(v) NUM2LONG(v)
#define DEVT2NUM(v) ULONG2NUM(v)
#define NUM2DEVT(v) NUM2ULONG(v)
#define MODET2NUM(v) UINT2NUM(v)
#define NUM2MODET(v) NUM2UINT(v)
#define SIGNEDNESS_OF_TIME_T -1

#define PRI_LL_PREFIX "ll"
#define PRI_SIZE_PREFIX "z"
#define PRI_PTRDIFF_PREFIX "t"
#define PRI_PIDT_PREFIX PRI_INT_PREFIX
#define PRI_TIMET_PREFIX PRI_LONG_PREFIX
#define PRI_OFF_T_PREFIX PRI_LONG_PREFIX

#define NORETURN(x) __attribute__((__noreturn__)) x
#define DEPRECATED(x) __attribute__((__deprecated__)) x
#define DEPRECATED_BY(n, x) __attribute__((__deprecated__("by "#n))) x
#define NOINLINE(x) __attribute__((__noinline__)) x
#define ALWAYS_INLINE(x) __attribute__((__always_inline__)) x
#define WARN_UNUSED_RESULT(x) __attribute__((__warn_unused_result__)) x
#define MAYBE_UNUSED(x) __attribute__((__unused__)) x
#define ERRORFUNC(mesg, x) __attribute__((__error__ mesg)) x
#define WARNINGFUNC(mesg, x) __attribute__((__warning__ mesg)) x
#define PUREFUNC(x) __attribute__((__pure__)) x
#define CONSTFUNC(x) __attribute__((__const__)) x
#define COLDFUNC __attribute__((__cold__))
#define FUNC_FASTCALL(x) x
#define FUNC_STDCALL(x) x
#define FUNC_CDECL(x) x
#define UNREACHABLE __builtin_unreachable()
#define ASSUME(x) ((x) ? (void)0 : __builtin_unreachable())
#define RBIMPL_ASSUME(x) ASSUME(x)
#define UNREACHABLE_RETURN(x) __builtin_unreachable()
#define RUBY_ALIGNAS(n) __attribute__((__aligned__(n)))
#define RUBY_ALIGNOF(type) __alignof__(type)
#define RB_GNUC_EXTENSION __extension__
#define RB_GNUC_EXTENSION_BLOCK(x) __extension__ ({ x; })
#define RBIMPL_ATTR_MAYBE_UNUSED() __attribute__((__unused__))

#define RUBY_LIB_VERSION_STYLE 3
#define LOAD_RELATIVE 1
#define STACK_GROW_DIRECTION -1
#define DLEXT_MAXLEN 3
#define DLEXT ".so"
#define USE_FLONUM 1
#define USE_RGENGC 1

#if defined(__aarch64__)
# define RUBY_PLATFORM "aarch64-linux"
#else
# define RUBY_PLATFORM "x86_64-linux"
#endif

#define HAVE_COPY_FILE_RANGE 1
#define HAVE_EXPLICIT_BZERO 1
#define HAVE_FDATASYNC 1
#define HAVE_FSTATAT 1
#define HAVE_GETLOGIN 1
#define HAVE_MEMALIGN 1
#define HAVE_MMAP 1
#define HAVE_PIPE 1
#define HAVE_SCHED_GETAFFINITY 1
#define HAVE_SETSID 1
#define HAVE_SYSCONF 1
#define HAVE_SYS_PRCTL_H 1
#define HAVE_UINT8_T 1
#define HAVE_UINT16_T 1
#define HAVE_UINT32_T 1
#define HAVE_UINT128_T 1
#define HAVE_WRITEV 1
#define HAVE__BOOL 1
#define HAVE_NATIVETHREAD 1
#define int128_t __int128
#define uint128_t unsigned __int128
#define SIZEOF_SSIZE_T SIZEOF_SIZE_T
#define NEGATIVE_TIME_T 1
#define CLOCKID2NUM(v) INT2NUM(v)
#define NUM2CLOCKID(v) NUM2INT(v)
#define rb_uid_t uid_t
#define rb_gid_t gid_t
#define NO_SANITIZE(san, x) __attribute__((__no_sanitize__(san))) x

#endif

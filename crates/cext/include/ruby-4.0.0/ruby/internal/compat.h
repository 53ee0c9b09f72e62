#ifndef RUBELLITE_INTERNAL_COMPAT_H
#define RUBELLITE_INTERNAL_COMPAT_H
/* Other names, shorthands and what former versions had. */
#include "ruby/internal/memory.h"

#define rb_str_new2 rb_str_new_cstr
#define rb_str_new3 rb_str_new_shared
#define rb_str_new4 rb_str_new_frozen
#define rb_str_new5 rb_str_new_with_class
#define rb_str_dup_frozen rb_str_new_frozen
#define rb_str_buf_new2 rb_str_buf_new_cstr
#define rb_str_buf_cat rb_str_cat
#define rb_str_buf_cat2 rb_str_cat_cstr
#define rb_str_cat2 rb_str_cat_cstr
#define rb_usascii_str_new2 rb_usascii_str_new_cstr
#define rb_str_new_lit(str) rb_str_new_static((str), (long)rb_strlen_lit(str))
#define rb_str_new_literal rb_str_new_lit
#define rb_usascii_str_new_lit(str) rb_usascii_str_new_static((str), (long)rb_strlen_lit(str))
#define rb_usascii_str_new_literal rb_usascii_str_new_lit
#define rb_utf8_str_new_lit(str) rb_utf8_str_new_static((str), (long)rb_strlen_lit(str))
#define rb_utf8_str_new_literal rb_utf8_str_new_lit
#define rb_enc_str_new_lit(str, enc) rb_enc_str_new_static((str), (long)rb_strlen_lit(str), (enc))
#define rb_enc_str_new_literal rb_enc_str_new_lit
#define rb_exc_new2 rb_exc_new_cstr
#define rb_exc_new3 rb_exc_new_str
#define rb_ary_new2 rb_ary_new_capa
#define rb_ary_new3 rb_ary_new_from_args
#define rb_ary_new4 rb_ary_new_from_values
#define rb_funcall2 rb_funcallv
#define rb_funcall3 rb_funcallv_public
#define rb_hash_uint(h, i) st_hash_uint((h), (i))
#define rb_hash_uint32(h, i) st_hash_uint32((h), (i))
#define rb_hash_end(h) st_hash_end(h)
#define rb_rational_raw1(x) rb_rational_raw((x), INT2FIX(1))
#define rb_rational_raw2(x, y) rb_rational_raw((x), (y))
#define rb_rational_new1(x) rb_rational_new((x), INT2FIX(1))
#define rb_rational_new2(x, y) rb_rational_new((x), (y))
#define rb_Rational1(x) rb_Rational((x), INT2FIX(1))
#define rb_Rational2(x, y) rb_Rational((x), (y))
#define rb_complex_raw1(x) rb_complex_raw((x), INT2FIX(0))
#define rb_complex_raw2(x, y) rb_complex_raw((x), (y))
#define rb_complex_new1(x) rb_complex_new((x), INT2FIX(0))
#define rb_complex_new2(x, y) rb_complex_new((x), (y))
#define rb_Complex1(x) rb_Complex((x), INT2FIX(0))
#define rb_Complex2(x, y) rb_Complex((x), (y))
#define rb_big2uint(x) rb_big2ulong(x)
#define rb_big2int(x) rb_big2long(x)
#define rb_fix2long(x) FIX2LONG(x)
#define rb_fix2ulong(x) FIX2ULONG(x)
#define rb_memcmp memcmp
#define rb_orig_errno errno
#define SIZED_ENUMERATOR_KW(obj, argc, argv, size, keywords) \
    rb_enumeratorize_with_size_kw((obj), ID2SYM(rb_frame_this_func()), (argc), (argv), (size), (keywords))
#define OBJ_PROMOTED_RAW(x) 0
#define OBJ_PROMOTED(x) 0
#define xfree_sized ruby_xfree_sized
#define xrealloc_sized ruby_xrealloc_sized
#define xrealloc2_sized ruby_xrealloc2_sized
#define rb_complex_add rb_complex_plus
#define rb_complex_sub rb_complex_minus
#define rb_complex_nagate rb_complex_uminus
#define rb_argv rb_get_argv()
#define RB_RESERVED_FD_P(fd) rb_reserved_fd_p(fd)
#define RB_INT_PARSE_SIGN 0x01
#define RB_INT_PARSE_UNDERSCORE 0x02
#define RB_INT_PARSE_PREFIX 0x04
#define RB_INT_PARSE_ALL 0x07
#define RB_INT_PARSE_DEFAULT 0x07
#define RB_ENC_CODERANGE_AND(a, b) rb_enc_coderange_and((a), (b))
#define RUBY_REFERENCES(t) static const size_t t[]
#define RUBY_REFERENCES_START(t) RUBY_REFERENCES(t) = {
#define RUBY_REFERENCES_END RUBY_REF_END, };
#define HAVE_TYPE_RB_DATA_TYPE_T 1
#define HAVE_RB_DATA_TYPE_T_FUNCTION 1
#define HAVE_RB_DATA_TYPE_T_PARENT 1
#define HAVE_RB_REG_NEW_STR 1
#define HAVE_RB_DEFINE_ALLOC_FUNC 1
#define RUBY_BLOCK_CALL_FUNC_TAKES_BLOCKARG 1
#define USE_SYMBOL_AS_METHOD_NAME 1
#define RUBY_EVENT_RESERVED_FOR_INTERNAL_USE 0x030000
#define RUBY_BIRTH_YEAR 1993
#define RUBY_BIRTH_MONTH 2
#define RUBY_BIRTH_DAY 24
#define RB_OBJ_INIT_COPY(obj, orig) OBJ_INIT_COPY((obj), (orig))
#define OBJ_INIT_COPY(obj, orig) ((obj) != (orig) && (rb_obj_init_copy((obj), (orig)), 1))
#define rb_tainted_str_new rb_str_new
#define rb_tainted_str_new_cstr rb_str_new_cstr
#define rb_tainted_str_new2 rb_str_new_cstr
#define rb_check_safe_obj(x) ((void)(x))
#define rb_safe_level() 0
#define rb_secure(n) ((void)(n))
#define OBJ_TAINT(x) ((void)(x))
#define OBJ_TAINTED(x) 0
#define OBJ_UNTRUST(x) ((void)(x))
#define OBJ_UNTRUSTED(x) 0
#define OBJ_INFECT(x, s) ((void)(x), (void)(s))
#define RB_OBJ_TAINT OBJ_TAINT
#define RB_OBJ_TAINTED OBJ_TAINTED
#define rb_cFixnum rb_cInteger
#define rb_cBignum rb_cInteger

/* These follow the program's global variables. */
#define rb_stdin (*rb_current_global_ptr(0))
#define rb_stdout (*rb_current_global_ptr(1))
#define rb_stderr (*rb_current_global_ptr(2))
#define rb_fs (*rb_current_global_ptr(3))
#define rb_rs (*rb_current_global_ptr(4))
#define rb_output_rs (*rb_current_global_ptr(5))
#define rb_output_fs (*rb_current_global_ptr(6))
#define ruby_verbose (*rb_ruby_verbose_ptr())
#define ruby_debug (*rb_ruby_debug_ptr())

/* Regular expressions. */
RBL_BEGIN_DECLS
VALUE rb_reg_source(VALUE);
struct re_pattern_buffer *rb_reg_pattern(VALUE);
VALUE rb_extract_keywords(VALUE *);
RBL_END_DECLS
struct RRegexp {
    struct RBasic basic;
};
#define RREGEXP(obj) ((struct RRegexp *)(obj))
#define RREGEXP_PTR(obj) rb_reg_pattern(obj)
#define RREGEXP_SRC(obj) rb_reg_source(obj)
#define RREGEXP_SRC_PTR(obj) RSTRING_PTR(rb_reg_source(obj))
#define RREGEXP_SRC_LEN(obj) RSTRING_LEN(rb_reg_source(obj))
#define RREGEXP_SRC_END(obj) RSTRING_END(rb_reg_source(obj))

/* What ends a wait. */
#define RUBY_UBF_IO ((rb_unblock_function_t *)-1)
#define RUBY_UBF_PROCESS ((rb_unblock_function_t *)-1)

#define RUBY_INTEGER_UNIFICATION 1

#define RB_EXT_RACTOR_SAFE(f) rb_ext_ractor_safe(f)
#define HAVE_RB_EXT_RACTOR_SAFE 1
#define HAVE_RB_EXT_RESOLVE_SYMBOL 1

#define InitVM(ext) { void InitVM_##ext(void); InitVM_##ext(); }

/* Characters of ASCII, whatever the locale is. */
static inline int rb_isascii(int c) { return '\0' <= c && c <= '\x7f'; }
static inline int rb_isupper(int c) { return 'A' <= c && c <= 'Z'; }
static inline int rb_islower(int c) { return 'a' <= c && c <= 'z'; }
static inline int rb_isalpha(int c) { return rb_isupper(c) || rb_islower(c); }
static inline int rb_isdigit(int c) { return '0' <= c && c <= '9'; }
static inline int rb_isalnum(int c) { return rb_isalpha(c) || rb_isdigit(c); }
static inline int rb_isxdigit(int c) { return rb_isdigit(c) || ('A' <= c && c <= 'F') || ('a' <= c && c <= 'f'); }
static inline int rb_isblank(int c) { return c == ' ' || c == '\t'; }
static inline int rb_isspace(int c) { return c == ' ' || ('\t' <= c && c <= '\r'); }
static inline int rb_iscntrl(int c) { return ('\0' <= c && c < ' ') || c == '\x7f'; }
static inline int rb_isprint(int c) { return ' ' <= c && c <= '\x7e'; }
static inline int rb_isgraph(int c) { return '!' <= c && c <= '\x7e'; }
static inline int rb_ispunct(int c) { return rb_isgraph(c) && !rb_isalnum(c); }
static inline int rb_tolower(int c) { return rb_isupper(c) ? c | 0x20 : c; }
static inline int rb_toupper(int c) { return rb_islower(c) ? c & 0x5f : c; }
#define ISASCII rb_isascii
#define ISPRINT rb_isprint
#define ISGRAPH rb_isgraph
#define ISSPACE rb_isspace
#define ISUPPER rb_isupper
#define ISLOWER rb_islower
#define ISALNUM rb_isalnum
#define ISALPHA rb_isalpha
#define ISDIGIT rb_isdigit
#define ISXDIGIT rb_isxdigit
#define ISBLANK rb_isblank
#define ISCNTRL rb_iscntrl
#define ISPUNCT rb_ispunct
#define TOUPPER rb_toupper
#define TOLOWER rb_tolower
RBL_BEGIN_DECLS
unsigned long ruby_strtoul(const char *, char **, int);
RBL_END_DECLS
#define STRTOUL(str, endptr, base) ruby_strtoul((str), (endptr), (base))
#define setproctitle ruby_setproctitle
#define ruby_qsort qsort_r
/* What C code asks for with `#ifdef` or takes as given. */
#define RB_NUM_COERCE_FUNCS_NEED_OPID 1
#define RB_EVENT_HOOKS_HAVE_CALLBACK_DATA 1
#define RB_THREAD_LOCAL_SPECIFIER __thread
#define RB_FIX2SHORT(x) FIX2SHORT(x)
#define RSHIFT(x, y) ((x) >> (int)(y))
#define OBJSETUP rb_obj_setup
#ifndef STDC_HEADERS
#define STDC_HEADERS 1
#endif
#ifndef FALSE
#define FALSE false
#endif
#ifndef TRUE
#define TRUE true
#endif

#endif

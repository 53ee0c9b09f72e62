#ifndef RUBELLITE_INTERNAL_TYPES_H
#define RUBELLITE_INTERNAL_TYPES_H
/* Layouts and types that the declarations use. */
#include "ruby/internal/value.h"

/* A string: the length, with the top bit set when the bytes lie elsewhere. */
struct RString {
    struct RBasic basic;
    long word;
    union {
        struct {
            char *ptr;
            long capa;
            uintptr_t owner;
        } heap;
        struct {
            char ary[24];
        } embed;
    } as;
};

/* An array, the same with three elements inside. */
struct RArray {
    struct RBasic basic;
    long word;
    union {
        struct {
            VALUE *ptr;
            long capa;
            uintptr_t owner;
        } heap;
        VALUE ary[3];
    } as;
};

struct RObject {
    struct RBasic basic;
};

typedef void (*RUBY_DATA_FUNC)(void *);

struct RData {
    struct RBasic basic;
    RUBY_DATA_FUNC dmark;
    RUBY_DATA_FUNC dfree;
    void *data;
};

typedef struct rb_data_type_struct rb_data_type_t;

struct rb_data_type_struct {
    const char *wrap_struct_name;
    struct {
        RUBY_DATA_FUNC dmark;
        RUBY_DATA_FUNC dfree;
        size_t (*dsize)(const void *);
        RUBY_DATA_FUNC dcompact;
        void *reserved[1];
    } function;
    const rb_data_type_t *parent;
    void *data;
    VALUE flags;
};

struct RTypedData {
    struct RBasic basic;
    const rb_data_type_t *type;
    VALUE typed_flag;
    void *data;
};

#define RUBY_DEFAULT_FREE ((RUBY_DATA_FUNC)-1)
#define RUBY_NEVER_FREE ((RUBY_DATA_FUNC)0)
#define RUBY_TYPED_DEFAULT_FREE RUBY_DEFAULT_FREE
#define RUBY_TYPED_NEVER_FREE RUBY_NEVER_FREE
/* Bits of a type's `flags`. */
enum rbimpl_typeddata_flags {
    RUBY_TYPED_FREE_IMMEDIATELY = 1,
    RUBY_TYPED_EMBEDDABLE = 2,
    RUBY_TYPED_THREAD_SAFE_FREE = 1,
    RUBY_TYPED_CONCURRENT_FREE_SAFE = 1,
    RUBY_TYPED_FROZEN_SHAREABLE = RUBY_FL_SHAREABLE,
    RUBY_TYPED_FROZEN_SHAREABLE_NO_REC = RUBY_FL_FINALIZE,
    RUBY_TYPED_WB_PROTECTED = 1L << 40,
    RUBY_TYPED_DECL_MARKING = 1L << 41
};
#define RUBY_TYPED_FREE_IMMEDIATELY ((VALUE)RUBY_TYPED_FREE_IMMEDIATELY)
#define RUBY_TYPED_EMBEDDABLE ((VALUE)RUBY_TYPED_EMBEDDABLE)
#define RUBY_TYPED_THREAD_SAFE_FREE ((VALUE)RUBY_TYPED_THREAD_SAFE_FREE)
#define RUBY_TYPED_CONCURRENT_FREE_SAFE ((VALUE)RUBY_TYPED_CONCURRENT_FREE_SAFE)
#define RUBY_TYPED_FROZEN_SHAREABLE ((VALUE)RUBY_TYPED_FROZEN_SHAREABLE)
#define RUBY_TYPED_FROZEN_SHAREABLE_NO_REC ((VALUE)RUBY_TYPED_FROZEN_SHAREABLE_NO_REC)
#define RUBY_TYPED_WB_PROTECTED ((VALUE)RUBY_TYPED_WB_PROTECTED)
#define RUBY_TYPED_DECL_MARKING ((VALUE)RUBY_TYPED_DECL_MARKING)
#define RUBY_TYPED_UNUSED ((VALUE)0)
#define RUBY_TYPED_PROMOTED1 ((VALUE)0)
#define TYPED_DATA_EMBEDDED 2
#define TYPED_DATA_PTR_MASK (~(VALUE)0)
#define RUBY_UNTYPED_DATA_WARNING 0
#define RUBY_REF_END SIZE_MAX
#define RUBY_REF_EDGE(s, p) offsetof(s, p)
#define RUBY_REFS_LIST_PTR(l) ((RUBY_DATA_FUNC)(uintptr_t)(l))

#define RUBY_METHOD_FUNC(func) ((VALUE(*)(ANYARGS))(func))
#define RUBY_DATA_FUNC(func) ((RUBY_DATA_FUNC)(func))

typedef VALUE rb_block_call_func(VALUE yielded_arg, VALUE callback_arg, int argc, const VALUE *argv, VALUE blockarg);
typedef rb_block_call_func *rb_block_call_func_t;
#define RB_BLOCK_CALL_FUNC_STRICT 1
#define RB_BLOCK_CALL_FUNC_ARGLIST(yielded_arg, callback_arg) \
    VALUE yielded_arg, VALUE callback_arg, int argc, const VALUE *argv, VALUE blockarg
typedef VALUE (*rb_alloc_func_t)(VALUE);
typedef VALUE rb_gvar_getter_t(ID id, VALUE *data);
typedef void rb_gvar_setter_t(VALUE val, ID id, VALUE *data);
typedef void rb_gvar_marker_t(VALUE *var);
typedef VALUE rb_enumerator_size_func(VALUE argv, VALUE argc, VALUE self);
typedef void rb_unblock_function_t(void *);
typedef VALUE rb_blocking_function_t(void *);
typedef unsigned int rb_event_flag_t;
typedef void (*rb_event_hook_func_t)(rb_event_flag_t evflag, VALUE data, VALUE self, ID mid, VALUE klass);
typedef uint32_t ruby_encoding_index;
typedef VALUE ruby_vm_value_t;
typedef struct rb_vm_struct ruby_vm_t;

typedef enum {
    RB_WARN_CATEGORY_NONE,
    RB_WARN_CATEGORY_DEPRECATED,
    RB_WARN_CATEGORY_EXPERIMENTAL,
    RB_WARN_CATEGORY_PERFORMANCE,
    RB_WARN_CATEGORY_STRICT_UNUSED_BLOCK
} rb_warning_category_t;

enum rb_io_wait_readwrite { RB_IO_WAIT_READABLE = 0, RB_IO_WAIT_WRITABLE = 1 };
#define RB_IO_WAIT_READABLE RB_IO_WAIT_READABLE
#define RB_IO_WAIT_WRITABLE RB_IO_WAIT_WRITABLE

typedef struct {
    VALUE begin;
    VALUE end;
    VALUE step;
    int exclude_end;
} rb_arithmetic_sequence_components_t;

/* A set of descriptors that grows. */
typedef struct {
    int maxfd;
    fd_set *fdset;
} rb_fdset_t;
#define rb_fd_ptr(f) ((f)->fdset)
#define rb_fd_max(f) ((f)->maxfd)
#define HAVE_RB_FD_INIT 1

typedef struct rb_io_encoding rb_io_enc_t;

/* Events of `rb_add_event_hook` and trace points. */
#define RUBY_EVENT_NONE 0x0000
#define RUBY_EVENT_LINE 0x0001
#define RUBY_EVENT_CLASS 0x0002
#define RUBY_EVENT_END 0x0004
#define RUBY_EVENT_CALL 0x0008
#define RUBY_EVENT_RETURN 0x0010
#define RUBY_EVENT_C_CALL 0x0020
#define RUBY_EVENT_C_RETURN 0x0040
#define RUBY_EVENT_RAISE 0x0080
#define RUBY_EVENT_ALL 0x00ff
#define RUBY_EVENT_B_CALL 0x0100
#define RUBY_EVENT_B_RETURN 0x0200
#define RUBY_EVENT_THREAD_BEGIN 0x0400
#define RUBY_EVENT_THREAD_END 0x0800
#define RUBY_EVENT_FIBER_SWITCH 0x1000
#define RUBY_EVENT_SCRIPT_COMPILED 0x2000
#define RUBY_EVENT_RESCUE 0x4000
#define RUBY_EVENT_TRACEPOINT_ALL 0x7fff
#define RUBY_INTERNAL_EVENT_SWITCH 0x00040000
#define RUBY_EVENT_SWITCH RUBY_INTERNAL_EVENT_SWITCH
#define RUBY_INTERNAL_EVENT_NEWOBJ 0x00100000
#define RUBY_INTERNAL_EVENT_FREEOBJ 0x00200000
#define RUBY_INTERNAL_EVENT_GC_START 0x00400000
#define RUBY_INTERNAL_EVENT_GC_END_MARK 0x00800000
#define RUBY_INTERNAL_EVENT_GC_END_SWEEP 0x01000000
#define RUBY_INTERNAL_EVENT_GC_ENTER 0x02000000
#define RUBY_INTERNAL_EVENT_GC_EXIT 0x04000000
#define RUBY_INTERNAL_EVENT_OBJSPACE_MASK 0x07f00000
#define RUBY_INTERNAL_EVENT_MASK 0xffff0000

/* How keywords are passed and parsed. */
#define RB_NO_KEYWORDS 0
#define RB_PASS_KEYWORDS 1
#define RB_PASS_CALLED_KEYWORDS (!!rb_keyword_given_p())
#define RB_SCAN_ARGS_PASS_CALLED_KEYWORDS 0
#define RB_SCAN_ARGS_KEYWORDS 1
#define RB_SCAN_ARGS_LAST_HASH_KEYWORDS 3
#define HAVE_RB_SCAN_ARGS_OPTIONAL_HASH 1
#define UNLIMITED_ARGUMENTS (-1)

/* `rb_integer_pack` and `rb_integer_unpack`. */
#define INTEGER_PACK_MSWORD_FIRST 0x01
#define INTEGER_PACK_LSWORD_FIRST 0x02
#define INTEGER_PACK_MSBYTE_FIRST 0x10
#define INTEGER_PACK_LSBYTE_FIRST 0x20
#define INTEGER_PACK_NATIVE_BYTE_ORDER 0x40
#define INTEGER_PACK_2COMP 0x80
#define INTEGER_PACK_FORCE_BIGNUM 0x100
#define INTEGER_PACK_NEGATIVE 0x200
#define INTEGER_PACK_FORCE_GENERIC_IMPLEMENTATION 0x400
#define INTEGER_PACK_LITTLE_ENDIAN (INTEGER_PACK_LSWORD_FIRST | INTEGER_PACK_LSBYTE_FIRST)
#define INTEGER_PACK_BIG_ENDIAN (INTEGER_PACK_MSWORD_FIRST | INTEGER_PACK_MSBYTE_FIRST)

#endif

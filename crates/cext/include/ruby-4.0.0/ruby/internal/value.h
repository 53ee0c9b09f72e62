#ifndef RUBELLITE_INTERNAL_VALUE_H
#define RUBELLITE_INTERNAL_VALUE_H
/* The value word: immediates and the first two words of every object. */
#include "ruby/defines.h"

/* As CRuby writes them: binding generators make other types of `uintptr_t`. */
typedef unsigned long VALUE;
typedef unsigned long ID;
#define SIGNED_VALUE intptr_t
#define SIZEOF_VALUE_BITS 64
#define PRI_VALUE_PREFIX "l"
#define RUBY_PRI_VALUE_MARK "\v"
#define PRIdVALUE PRI_VALUE_PREFIX "d"
#define PRIiVALUE PRI_VALUE_PREFIX "i"
#define PRIoVALUE PRI_VALUE_PREFIX "o"
#define PRIuVALUE PRI_VALUE_PREFIX "u"
#define PRIxVALUE PRI_VALUE_PREFIX "x"
#define PRIXVALUE PRI_VALUE_PREFIX "X"
#define PRIsVALUE PRI_VALUE_PREFIX "i" RUBY_PRI_VALUE_MARK
#define PRIdSIZE PRI_SIZE_PREFIX "d"
#define PRIiSIZE PRI_SIZE_PREFIX "i"
#define PRIoSIZE PRI_SIZE_PREFIX "o"
#define PRIuSIZE PRI_SIZE_PREFIX "u"
#define PRIxSIZE PRI_SIZE_PREFIX "x"
#define PRIXSIZE PRI_SIZE_PREFIX "X"
#define PRIdPTRDIFF PRI_PTRDIFF_PREFIX "d"
#define PRIiPTRDIFF PRI_PTRDIFF_PREFIX "i"
#define PRIoPTRDIFF PRI_PTRDIFF_PREFIX "o"
#define PRIuPTRDIFF PRI_PTRDIFF_PREFIX "u"
#define PRIxPTRDIFF PRI_PTRDIFF_PREFIX "x"
#define PRIXPTRDIFF PRI_PTRDIFF_PREFIX "X"
#define PRIdPIDT PRI_PIDT_PREFIX "d"

enum ruby_special_consts {
    RUBY_Qfalse = 0x00,
    RUBY_Qnil = 0x04,
    RUBY_Qtrue = 0x14,
    RUBY_Qundef = 0x24,
    RUBY_IMMEDIATE_MASK = 0x07,
    RUBY_FIXNUM_FLAG = 0x01,
    RUBY_FLONUM_MASK = 0x03,
    RUBY_FLONUM_FLAG = 0x02,
    RUBY_SYMBOL_FLAG = 0x0c,
    RUBY_SPECIAL_SHIFT = 8
};

#define Qfalse ((VALUE)RUBY_Qfalse)
#define Qnil ((VALUE)RUBY_Qnil)
#define Qtrue ((VALUE)RUBY_Qtrue)
#define Qundef ((VALUE)RUBY_Qundef)
#define RUBY_Qfalse RUBY_Qfalse
#define RUBY_Qnil RUBY_Qnil
#define RUBY_Qtrue RUBY_Qtrue
#define RUBY_Qundef RUBY_Qundef
#define IMMEDIATE_MASK RUBY_IMMEDIATE_MASK
#define FIXNUM_FLAG RUBY_FIXNUM_FLAG
#define FLONUM_MASK RUBY_FLONUM_MASK
#define FLONUM_FLAG RUBY_FLONUM_FLAG
#define SYMBOL_FLAG RUBY_SYMBOL_FLAG

/* What lies in a cell, the number in the low bits of its first word, which is CRuby's. Cells of other numbers are what
 * CRuby has no type for: `rb_type` and `BUILTIN_TYPE` say T_DATA of procs, T_OBJECT of exceptions, T_STRUCT of ranges,
 * T_FILE of IO objects. */
enum ruby_value_type {
    RUBY_T_NONE = 0x00,
    RUBY_T_OBJECT = 0x01,
    RUBY_T_CLASS = 0x02,
    RUBY_T_MODULE = 0x03,
    RUBY_T_FLOAT = 0x04,
    RUBY_T_STRING = 0x05,
    RUBY_T_REGEXP = 0x06,
    RUBY_T_ARRAY = 0x07,
    RUBY_T_HASH = 0x08,
    RUBY_T_STRUCT = 0x09,
    RUBY_T_BIGNUM = 0x0a,
    RUBY_T_FILE = 0x0b,
    RUBY_T_DATA = 0x0c,
    RUBY_T_MATCH = 0x0d,
    RUBY_T_COMPLEX = 0x0e,
    RUBY_T_RATIONAL = 0x0f,
    RUBY_T_NIL = 0x11,
    RUBY_T_TRUE = 0x12,
    RUBY_T_FALSE = 0x13,
    RUBY_T_SYMBOL = 0x14,
    RUBY_T_FIXNUM = 0x15,
    RUBY_T_UNDEF = 0x16,
    RUBY_T_IMEMO = 0x1a,
    RUBY_T_NODE = 0x1b,
    RUBY_T_ICLASS = 0x1c,
    RUBY_T_ZOMBIE = 0x1d,
    RUBY_T_MOVED = 0x1e,
    RUBY_T_MASK = 0x1f,
    RUBELLITE_T_RANGE = 0x10,
    RUBELLITE_T_PROC = 0x17,
    RUBELLITE_T_METHOD = 0x18,
    RUBELLITE_T_EXCEPTION = 0x19
};
typedef enum ruby_value_type ruby_value_type;

#define T_NONE RUBY_T_NONE
#define T_OBJECT RUBY_T_OBJECT
#define T_CLASS RUBY_T_CLASS
#define T_MODULE RUBY_T_MODULE
#define T_ICLASS RUBY_T_ICLASS
#define T_FLOAT RUBY_T_FLOAT
#define T_STRING RUBY_T_STRING
#define T_REGEXP RUBY_T_REGEXP
#define T_ARRAY RUBY_T_ARRAY
#define T_HASH RUBY_T_HASH
#define T_BIGNUM RUBY_T_BIGNUM
#define T_MOVED RUBY_T_MOVED
#define T_RATIONAL RUBY_T_RATIONAL
#define T_COMPLEX RUBY_T_COMPLEX
#define T_MATCH RUBY_T_MATCH
#define T_STRUCT RUBY_T_STRUCT
#define T_SYMBOL RUBY_T_SYMBOL
#define T_FIXNUM RUBY_T_FIXNUM
#define T_UNDEF RUBY_T_UNDEF
#define T_IMEMO RUBY_T_IMEMO
#define T_NODE RUBY_T_NODE
#define T_DATA RUBY_T_DATA
#define T_FILE RUBY_T_FILE
#define T_NIL RUBY_T_NIL
#define T_TRUE RUBY_T_TRUE
#define T_FALSE RUBY_T_FALSE
#define T_ZOMBIE RUBY_T_ZOMBIE
#define T_MASK RUBY_T_MASK

struct RBasic {
    VALUE flags;
    const VALUE klass;
};

#define RBASIC(obj) ((struct RBasic *)(obj))
#define RBASIC_CLASS(obj) (RBASIC(obj)->klass)

/* Bits of the first word. Those of `FL_USER` are an extension's own in its data objects. */
enum ruby_fl_type {
    RUBY_FL_FREEZE = 1 << 5,
    RUBY_FL_EXIVAR = 1 << 6,
    RUBY_FL_SINGLETON = 1 << 7,
    RUBY_FL_SEEN_OBJ_ID = 1 << 8,
    RUBY_FL_FINALIZE = 1 << 9,
    RUBY_FL_USHIFT = 16,
    RUBY_FL_USER0 = 1 << 16,
    RUBY_FL_USER1 = 1 << 17,
    RUBY_FL_USER2 = 1 << 18,
    RUBY_FL_USER3 = 1 << 19,
    RUBY_FL_USER4 = 1 << 20,
    RUBY_FL_SHAREABLE = 1 << 15,
    RUBY_FL_USER5 = 1 << 21,
    RUBY_FL_USER6 = 1 << 22,
    RUBY_FL_USER7 = 1 << 23,
    RUBY_FL_USER8 = 1 << 24,
    RUBY_FL_USER9 = 1 << 25,
    RUBY_FL_USER10 = 1 << 26,
    RUBY_FL_USER11 = 1 << 27,
    RUBY_FL_USER12 = 1 << 28,
    RUBY_FL_USER13 = 1 << 29,
    RUBY_FL_USER14 = 1 << 30,
    RUBY_FL_USER15 = 1 << 14,
    RUBY_FL_USER16 = 1 << 10,
    RUBY_FL_USER17 = 1 << 11,
    RUBY_FL_USER18 = 1 << 12,
    RUBY_FL_USER19 = 1 << 13,
    RUBY_FL_WB_PROTECTED = 0,
    RUBY_FL_PROMOTED = 0,
    RUBY_FL_TAINT = 0,
    RUBY_FL_UNTRUSTED = 0
};
#define FL_FREEZE ((VALUE)RUBY_FL_FREEZE)
#define FL_EXIVAR ((VALUE)RUBY_FL_EXIVAR)
#define FL_SINGLETON ((VALUE)RUBY_FL_SINGLETON)
#define FL_FINALIZE ((VALUE)RUBY_FL_FINALIZE)
#define FL_SHAREABLE ((VALUE)RUBY_FL_SHAREABLE)
#define FL_USHIFT ((VALUE)RUBY_FL_USHIFT)
#define FL_USER0 ((VALUE)RUBY_FL_USER0)
#define FL_USER1 ((VALUE)RUBY_FL_USER1)
#define FL_USER2 ((VALUE)RUBY_FL_USER2)
#define FL_USER3 ((VALUE)RUBY_FL_USER3)
#define FL_USER4 ((VALUE)RUBY_FL_USER4)
#define FL_USER5 ((VALUE)RUBY_FL_USER5)
#define FL_USER6 ((VALUE)RUBY_FL_USER6)
#define FL_USER7 ((VALUE)RUBY_FL_USER7)
#define FL_USER8 ((VALUE)RUBY_FL_USER8)
#define FL_USER9 ((VALUE)RUBY_FL_USER9)
#define FL_USER10 ((VALUE)RUBY_FL_USER10)
#define FL_USER11 ((VALUE)RUBY_FL_USER11)
#define FL_USER12 ((VALUE)RUBY_FL_USER12)
#define FL_USER13 ((VALUE)RUBY_FL_USER13)
#define FL_USER14 ((VALUE)RUBY_FL_USER14)
#define FL_WB_PROTECTED ((VALUE)RUBY_FL_WB_PROTECTED)
#define FL_PROMOTED ((VALUE)RUBY_FL_PROMOTED)
#define FL_UNTRUSTED ((VALUE)RUBY_FL_UNTRUSTED)
#define FL_ABLE(x) (!RB_SPECIAL_CONST_P(x))
#define FL_TEST_RAW(x, f) rbl_fl_test((VALUE)(x), (f))
#define FL_TEST(x, f) (FL_ABLE(x) ? FL_TEST_RAW((x), (f)) : (VALUE)0)
#define FL_ANY_RAW(x, f) FL_TEST_RAW((x), (f))
#define FL_ANY(x, f) FL_TEST((x), (f))
#define FL_ALL_RAW(x, f) (FL_TEST_RAW((x), (f)) == (VALUE)(f))
#define FL_ALL(x, f) (FL_ABLE(x) && FL_ALL_RAW((x), (f)))
#define FL_SET_RAW(x, f) rbl_fl_change((VALUE)(x), (f), 0)
#define FL_SET(x, f) (FL_ABLE(x) ? FL_SET_RAW((x), (f)) : (void)0)
#define FL_UNSET_RAW(x, f) rbl_fl_change((VALUE)(x), 0, (f))
#define FL_UNSET(x, f) (FL_ABLE(x) ? FL_UNSET_RAW((x), (f)) : (void)0)
#define FL_REVERSE_RAW(x, f) rbl_fl_reverse((VALUE)(x), (f))
#define FL_REVERSE(x, f) (FL_ABLE(x) ? FL_REVERSE_RAW((x), (f)) : (void)0)
#define RB_FL_ABLE FL_ABLE
#define RB_FL_TEST FL_TEST
#define RB_FL_TEST_RAW FL_TEST_RAW
#define RB_FL_SET FL_SET
#define RB_FL_SET_RAW FL_SET_RAW
#define RB_FL_UNSET FL_UNSET
#define RB_FL_UNSET_RAW FL_UNSET_RAW
#define RB_FL_ANY_RAW FL_ANY_RAW
#define RB_FL_ANY FL_ANY
#define RB_FL_ALL FL_ALL
#define RB_FL_ALL_RAW FL_ALL_RAW
#define RB_FL_REVERSE FL_REVERSE
#define RB_FL_REVERSE_RAW FL_REVERSE_RAW

#define RB_IMMEDIATE_P(x) (((VALUE)(x) & RUBY_IMMEDIATE_MASK) != 0)
#define RB_TEST(x) (((VALUE)(x) & ~(VALUE)Qnil) != 0)
#define RTEST RB_TEST
#define RB_NIL_P(x) ((VALUE)(x) == Qnil)
#define NIL_P RB_NIL_P
#define RB_UNDEF_P(x) ((VALUE)(x) == Qundef)
#define UNDEF_P RB_UNDEF_P
#define RB_NIL_OR_UNDEF_P(x) (RB_NIL_P(x) || RB_UNDEF_P(x))
#define NIL_OR_UNDEF_P RB_NIL_OR_UNDEF_P
#define IMMEDIATE_P RB_IMMEDIATE_P

/* Bits of `FL_USER` that an extension has in its data objects, and the bits in which objects of other types keep what
 * is the runtime's own: of those C code sees and changes what CRuby has there and the functions know, and else
 * nothing. */
#define RBL_FL_OWN ((VALUE)0x7fff0000)
#define RBL_FL_TYPED ((VALUE)0xffff7c00)
VALUE rbl_typed_flags(VALUE);
void rbl_change_typed_flags(VALUE, VALUE, VALUE);
static inline bool rbl_fl_in_word(VALUE obj, VALUE bits)
{
    return !(bits & RBL_FL_TYPED) || (RBASIC(obj)->flags & RUBY_T_MASK) == RUBY_T_DATA;
}
static inline VALUE rbl_fl_test(VALUE obj, VALUE bits)
{
    VALUE common = RBASIC(obj)->flags & bits & ~(RBL_FL_TYPED & ~RBL_FL_OWN);
    return rbl_fl_in_word(obj, bits) ? common : (common & ~RBL_FL_TYPED) | (rbl_typed_flags(obj) & bits);
}
static inline void rbl_fl_change(VALUE obj, VALUE on, VALUE off)
{
    VALUE kept = rbl_fl_in_word(obj, on | off) ? RBL_FL_TYPED & ~RBL_FL_OWN : RBL_FL_TYPED;
    RBASIC(obj)->flags = (RBASIC(obj)->flags | (on & ~kept)) & ~(off & ~kept);
    if (kept == RBL_FL_TYPED) rbl_change_typed_flags(obj, on & RBL_FL_TYPED, off & RBL_FL_TYPED);
}
static inline void rbl_fl_reverse(VALUE obj, VALUE bits)
{
    VALUE now = rbl_fl_test(obj, bits);
    rbl_fl_change(obj, bits & ~now, now);
}

static inline bool rbl_special_const_p(VALUE obj)
{
    return RB_IMMEDIATE_P(obj) || !RB_TEST(obj);
}
#define RB_SPECIAL_CONST_P(x) rbl_special_const_p((VALUE)(x))
static inline VALUE rb_special_const_p(VALUE obj)
{
    return RB_SPECIAL_CONST_P(obj) ? Qtrue : Qfalse;
}
#define SPECIAL_CONST_P RB_SPECIAL_CONST_P
#define rb_special_const_p rb_special_const_p

#define RB_FIXNUM_P(x) (((VALUE)(x) & RUBY_FIXNUM_FLAG) != 0)
#define FIXNUM_P RB_FIXNUM_P
#define RB_FLONUM_P(x) (((VALUE)(x) & RUBY_FLONUM_MASK) == RUBY_FLONUM_FLAG)
#define FLONUM_P RB_FLONUM_P
#define RB_STATIC_SYM_P(x) (((VALUE)(x) & 0xff) == RUBY_SYMBOL_FLAG)
#define STATIC_SYM_P RB_STATIC_SYM_P
#define RB_DYNAMIC_SYM_P(x) ((void)(x), 0)
#define DYNAMIC_SYM_P RB_DYNAMIC_SYM_P
#define RB_SYMBOL_P RB_STATIC_SYM_P
#define SYMBOL_P RB_STATIC_SYM_P
#define RB_ID2SYM(id) (((VALUE)(id) << RUBY_SPECIAL_SHIFT) | RUBY_SYMBOL_FLAG)
#define ID2SYM RB_ID2SYM
#define STATIC_ID2SYM RB_ID2SYM
#define STATIC_SYM2ID(sym) ((VALUE)(sym) >> RUBY_SPECIAL_SHIFT)

#define RUBY_FIXNUM_MAX (LONG_MAX >> 1)
#define RUBY_FIXNUM_MIN (LONG_MIN >> 1)
#define FIXNUM_MAX RUBY_FIXNUM_MAX
#define FIXNUM_MIN RUBY_FIXNUM_MIN
#define RB_POSFIXABLE(n) ((n) <= RUBY_FIXNUM_MAX)
#define RB_NEGFIXABLE(n) ((n) >= RUBY_FIXNUM_MIN)
#define RB_FIXABLE(n) (RB_POSFIXABLE(n) && RB_NEGFIXABLE(n))
#define POSFIXABLE RB_POSFIXABLE
#define NEGFIXABLE RB_NEGFIXABLE
#define FIXABLE RB_FIXABLE
#define RB_INT2FIX(n) (((VALUE)(n)) << 1 | RUBY_FIXNUM_FLAG)
#define INT2FIX RB_INT2FIX
#define LONG2FIX RB_INT2FIX
#define RB_LONG2FIX RB_INT2FIX
#define RB_FIX2LONG(x) ((long)((SIGNED_VALUE)(x) >> 1))
#define FIX2LONG RB_FIX2LONG
#define RB_FIX2ULONG(x) ((unsigned long)RB_FIX2LONG(x))
#define FIX2ULONG RB_FIX2ULONG

#endif

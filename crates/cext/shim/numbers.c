/* Numbers: conversion, arithmetic, packing of big integers. */
#include "rbl.h"

VALUE rb_float_new_in_heap(double number)
{
    return rb_float_new(number);
}

VALUE rb_cstr2inum(const char *text, int base)
{
    return rb_cstr_to_inum(text, base, base == 0);
}

VALUE rb_str2inum(VALUE text, int base)
{
    return rb_str_to_inum(text, base, base == 0);
}

/* The value of a digit; 36 and more: it is none. */
static int digit_value(char c)
{
    if (rb_isdigit(c)) return c - '0';
    return rb_isalpha(c) ? rb_tolower(c) - 'a' + 10 : 99;
}

/* The base that a prefix says, and the prefix's length: of `0x`, and of `0` alone, which is also a digit. */
static int prefix_base(const char *at, const char *end, int *len)
{
    static const char letters[] = "xbod";
    static const int bases[] = {16, 2, 8, 10};
    *len = 0;
    if (at == end || *at != '0') return 10;
    if (at + 1 == end) return 8;
    const char *found = strchr(letters, rb_tolower(at[1]));
    if (!found || !at[1]) return 8;
    *len = 2;
    return bases[found - letters];
}

/* Flags: 1 a sign (and space before it), 2 single underscores, 4 a prefix; `ndigits` counts these without underscores.
 * A base of 0 is the prefix's, a negative one what holds without a prefix. Nil: there are no digits. Without a place
 * for the end nothing may follow but space. */
VALUE rb_int_parse_cstr(const char *text, ssize_t len, char **endp, size_t *ndigits, int base, int flags)
{
    const char *at = text, *end = len < 0 ? text + strlen(text) : text + len;
    size_t count = 0;
    bool negative = false;
    if (flags & 1) {
        while (at < end && rb_isspace(*at)) at++;
        if (at < end && (*at == '+' || *at == '-')) negative = *at++ == '-';
    }
    int prefix_len, said = prefix_base(at, end, &prefix_len), wanted = base < 0 ? -base : base;
    if (base < 0 && !prefix_len && (at == end || *at != '0')) said = wanted;
    if (base <= 0) wanted = said;
    if (wanted < 2 || wanted > 36) rb_raise(rb_eArgError, "invalid radix %d", base);
    bool prefixed = (flags & 4) && prefix_len && said == wanted;
    if (prefixed) at += prefix_len;
    size_t before = (size_t)(at - text);
    VALUE digits = rb_str_new(negative ? "-" : "", negative);
    while (at < end) {
        bool underscore = (flags & 2) && *at == '_' && count > 0 && at + 1 < end;
        const char *digit = underscore ? at + 1 : at;
        if (digit_value(*digit) >= wanted) break;
        rb_str_cat(digits, digit, 1);
        count++;
        at = digit + 1;
    }
    /* What comes before the digits makes a zero of anything else that follows;
     * at the text's end its last part is left. */
    bool zero = count == 0 && before > 0 && at < end && endp;
    if (count == 0 && !zero) {
        if (ndigits) *ndigits = 0;
        if (endp) *endp = (char *)(before == 0 ? text : at - (prefixed ? prefix_len : 1));
        return Qnil;
    }
    if (ndigits) *ndigits = before + count;
    if (endp) *endp = (char *)at;
    if (zero) return INT2FIX(0);
    if (!endp) {
        while (at < end && rb_isspace(*at)) at++;
        if (at < end) return Qnil;
    }
    return rb_str_to_inum(digits, wanted, 0);
}

double rb_cstr_to_dbl(const char *text, int strict)
{
    return rb_str_to_dbl(rb_str_new_cstr(text), strict);
}

double rb_str_to_dbl(VALUE text, int strict)
{
    text = rb_str_to_str(text);
    return NUM2DBL(strict ? rb_Float(text) : OWN(text, "to_f"));
}

VALUE rb_big_norm(VALUE n)
{
    return n;
}

VALUE rb_num_coerce_bin(VALUE a, VALUE b, ID operator)
{
    VALUE pair = rb_check_funcall(b, (rb_intern)("coerce"), 1, &a);
    if (pair == Qundef) {
        VALUE what = SPECIAL_CONST_P(b) || RB_FLOAT_TYPE_P(b) ? rb_inspect(b) : rb_obj_class(b);
        rb_raise(rb_eTypeError, "%"PRIsVALUE" can't be coerced into %"PRIsVALUE, what, rb_obj_class(a));
    }
    if (!RB_TYPE_P(pair, T_ARRAY) || RARRAY_LEN(pair) != 2) rb_raise(rb_eTypeError, "coerce must return [x, y]");
    VALUE right = RARRAY_AREF(pair, 1);
    return rb_funcallv(RARRAY_AREF(pair, 0), operator, 1, &right);
}

static VALUE coerced(VALUE a, VALUE b, ID operator)
{
    VALUE pair = rb_check_funcall(b, (rb_intern)("coerce"), 1, &a);
    if (pair == Qundef || NIL_P(pair)) return Qnil;
    if (!RB_TYPE_P(pair, T_ARRAY) || RARRAY_LEN(pair) != 2) rb_raise(rb_eTypeError, "coerce must return [x, y]");
    VALUE right = RARRAY_AREF(pair, 1);
    return rb_funcallv(RARRAY_AREF(pair, 0), operator, 1, &right);
}

VALUE rb_num_coerce_cmp(VALUE a, VALUE b, ID operator)
{
    return coerced(a, b, operator);
}

VALUE rb_num_coerce_relop(VALUE a, VALUE b, ID operator)
{
    VALUE result = coerced(a, b, operator);
    if (NIL_P(result)) rb_cmperr(a, b);
    return result;
}

VALUE rb_num_coerce_bit(VALUE a, VALUE b, ID operator)
{
    return rb_num_coerce_bin(a, b, operator);
}

VALUE rb_int_positive_pow(long base, unsigned long exponent)
{
    return OWN(LONG2NUM(base), "**", ULONG2NUM(exponent));
}

int rb_float_cmp(VALUE a, VALUE b)
{
    return NUM2INT(OWN(a, "<=>", b));
}

/* The words of a number's magnitude, in a buffer of the caller's or one of `store`. */
static uint64_t *words_of(VALUE value, uint64_t *small, size_t room, size_t *count, int *negative, VALUE *store)
{
    if (rbl_int_words(value, small, room, negative, count)) rbl_jump();
    if (*count <= room) return small;
    size_t all = *count;
    uint64_t *large = rb_alloc_tmp_buffer(store, (long)(all * sizeof *large));
    if (rbl_int_words(value, large, all, negative, count)) rbl_jump();
    return large;
}

#define WORDS(value) \
    uint64_t small[8] = {0}; \
    size_t count; \
    int negative; \
    VALUE store = 0; \
    uint64_t *words = words_of((value), small, 8, &count, &negative, &store)

static size_t bits_of(const uint64_t *words, size_t count)
{
    return count == 0 ? 0 : count * 64 - (size_t)__builtin_clzll(words[count - 1]);
}

size_t rb_absint_size(VALUE value, int *leading_zero_bits)
{
    WORDS(rb_to_int(value));
    size_t bits = bits_of(words, count), bytes = (bits + 7) / 8;
    if (leading_zero_bits) *leading_zero_bits = (int)(bytes * 8 - bits);
    if (store) RB_ALLOCV_END(store);
    return bytes;
}

size_t rb_absint_numwords(VALUE value, size_t word_bits, size_t *leading_zero_bits)
{
    if (word_bits == 0) return (size_t)-1;
    WORDS(rb_to_int(value));
    size_t bits = bits_of(words, count), n = bits / word_bits + (bits % word_bits != 0);
    if (leading_zero_bits) *leading_zero_bits = n * word_bits - bits;
    if (store) RB_ALLOCV_END(store);
    return n;
}

int rb_absint_singlebit_p(VALUE value)
{
    WORDS(rb_to_int(value));
    int ones = 0;
    for (size_t i = 0; i < count; i++) ones += __builtin_popcountll(words[i]);
    if (store) RB_ALLOCV_END(store);
    return ones == 1;
}

static bool least_word_first(int flags)
{
    return flags & INTEGER_PACK_LSWORD_FIRST;
}

static bool least_byte_first(int flags)
{
    if (flags & INTEGER_PACK_NATIVE_BYTE_ORDER) return true;
    return flags & INTEGER_PACK_LSBYTE_FIRST;
}

static void check_pack(size_t numwords, size_t word_size, size_t nails, int flags)
{
    const int known = INTEGER_PACK_MSWORD_FIRST | INTEGER_PACK_LSWORD_FIRST | INTEGER_PACK_MSBYTE_FIRST
        | INTEGER_PACK_LSBYTE_FIRST | INTEGER_PACK_NATIVE_BYTE_ORDER | INTEGER_PACK_2COMP | INTEGER_PACK_FORCE_BIGNUM
        | INTEGER_PACK_FORCE_GENERIC_IMPLEMENTATION | INTEGER_PACK_NEGATIVE;
    int bytes = flags & (INTEGER_PACK_MSBYTE_FIRST | INTEGER_PACK_LSBYTE_FIRST | INTEGER_PACK_NATIVE_BYTE_ORDER);
    if (flags & ~known) rb_raise(rb_eArgError, "unsupported flags specified");
    if (numwords > 1 && !(flags & (INTEGER_PACK_MSWORD_FIRST | INTEGER_PACK_LSWORD_FIRST)))
        rb_raise(rb_eArgError, "word order not specified");
    if ((flags & INTEGER_PACK_MSWORD_FIRST) && (flags & INTEGER_PACK_LSWORD_FIRST))
        rb_raise(rb_eArgError, "unexpected word order");
    if (word_size > 1 && !bytes) rb_raise(rb_eArgError, "byte order not specified");
    if (bytes & (bytes - 1)) rb_raise(rb_eArgError, "unexpected byte order");
    if (word_size == 0) rb_raise(rb_eArgError, "invalid wordsize: %"PRIuSIZE, word_size);
    if (SSIZE_MAX < word_size) rb_raise(rb_eArgError, "too big wordsize: %"PRIuSIZE, word_size);
    if (word_size <= nails / CHAR_BIT) rb_raise(rb_eArgError, "too big nails: %"PRIuSIZE, nails);
    if (SIZE_MAX / word_size < numwords)
        rb_raise(rb_eArgError, "too big numwords * wordsize: %"PRIuSIZE" * %"PRIuSIZE, numwords, word_size);
}

int rb_integer_pack(VALUE value, void *target, size_t numwords, size_t word_size, size_t nails, int flags)
{
    check_pack(numwords, word_size, nails, flags);
    WORDS(rb_to_int(value));
    size_t word_bits = word_size * CHAR_BIT - nails, total = numwords * word_bits, bits = bits_of(words, count);
    int sign = count == 0 ? 0 : negative ? -1 : 1;
    bool complement = (flags & INTEGER_PACK_2COMP) && negative;
    unsigned char *out = target;
    int carry = 1;
    size_t at = 0;
    for (size_t w = 0; w < numwords; w++) {
        unsigned char *word = out + (least_word_first(flags) ? w : numwords - 1 - w) * word_size;
        memset(word, 0, word_size);
        for (size_t b = 0; b < word_bits; b++, at++) {
            int bit = at / 64 < count ? (int)(words[at / 64] >> (at % 64) & 1) : 0;
            if (complement) {
                bit = !bit + carry;
                carry = bit >> 1;
                bit &= 1;
            }
            size_t byte = b / 8;
            if (bit) word[least_byte_first(flags) ? byte : word_size - 1 - byte] |= (unsigned char)(1u << (b % 8));
        }
    }
    bool power = bits > 0;
    for (size_t i = 0; power && i < count; i++) power = words[i] == (i == count - 1 ? 1ull << ((bits - 1) % 64) : 0);
    if (store) RB_ALLOCV_END(store);
    if (bits > total) {
        /* -2^n fits into n bits as two's complement. */
        if (complement && power && bits == total + 1) return sign;
        return sign * 2;
    }
    return sign;
}

VALUE rb_integer_unpack(const void *source, size_t numwords, size_t word_size, size_t nails, int flags)
{
    check_pack(numwords, word_size, nails, flags);
    size_t word_bits = word_size * CHAR_BIT - nails, total = numwords * word_bits, count = (total + 63) / 64 + 1;
    VALUE store = 0;
    uint64_t *words = RB_ALLOCV_N(uint64_t, store, count);
    memset(words, 0, count * sizeof *words);
    const unsigned char *in = source;
    size_t at = 0;
    for (size_t w = 0; w < numwords; w++) {
        const unsigned char *word = in + (least_word_first(flags) ? w : numwords - 1 - w) * word_size;
        for (size_t b = 0; b < word_bits; b++, at++) {
            size_t byte = b / 8;
            int bit = word[least_byte_first(flags) ? byte : word_size - 1 - byte] >> (b % 8) & 1;
            if (bit) words[at / 64] |= 1ull << (at % 64);
        }
    }
    bool negative = flags & INTEGER_PACK_NEGATIVE;
    if (flags & INTEGER_PACK_2COMP) {
        bool top = total > 0 && (words[(total - 1) / 64] >> ((total - 1) % 64) & 1);
        if (top || negative) {
            negative = true;
            int carry = 1;
            bool zero = true;
            for (size_t i = 0; i < total; i++) zero = zero && !(words[i / 64] >> (i % 64) & 1);
            for (size_t i = 0; i < total; i++) {
                int bit = !(words[i / 64] >> (i % 64) & 1) + carry;
                carry = bit >> 1;
                if (bit & 1) words[i / 64] |= 1ull << (i % 64);
                else words[i / 64] &= ~(1ull << (i % 64));
            }
            if (zero && (flags & INTEGER_PACK_NEGATIVE)) words[total / 64] |= 1ull << (total % 64);
        }
    }
    VALUE out;
    if (rbl_int_from_words(words, count, negative, &out)) rbl_jump();
    RB_ALLOCV_END(store);
    return out;
}

void rb_big_pack(VALUE value, unsigned long *buffer, long n)
{
    rb_integer_pack(value, buffer, (size_t)n, sizeof *buffer, 0,
        INTEGER_PACK_LSWORD_FIRST | INTEGER_PACK_NATIVE_BYTE_ORDER | INTEGER_PACK_2COMP);
}

VALUE rb_big_unpack(unsigned long *buffer, long n)
{
    return rb_integer_unpack(buffer, (size_t)n, sizeof *buffer, 0,
        INTEGER_PACK_LSWORD_FIRST | INTEGER_PACK_NATIVE_BYTE_ORDER | INTEGER_PACK_2COMP);
}

int rb_uv_to_utf8(char *buffer, unsigned long code)
{
    if (code <= 0x7f) {
        buffer[0] = (char)code;
        return 1;
    }
    int n = code <= 0x7ff ? 2
        : code <= 0xffff ? 3
        : code <= 0x1fffff ? 4
        : code <= 0x3ffffff ? 5
        : code <= 0x7fffffff ? 6
        : 0;
    if (n == 0) rb_raise(rb_eRangeError, "pack(U): value out of range");
    for (int i = n - 1; i > 0; i--, code >>= 6) buffer[i] = (char)(0x80 | (code & 0x3f));
    buffer[0] = (char)((0xff00 >> n & 0xff) | code);
    return n;
}

VALUE rb_random_bytes(VALUE random, long n)
{
    return OWN(random, "bytes", LONG2NUM(n));
}

double rb_genrand_real(void)
{
    return rb_random_real(rb_cRandom);
}

unsigned int rb_genrand_int32(void)
{
    return rb_random_int32(rb_cRandom);
}

unsigned long rb_genrand_ulong_limited(unsigned long limit)
{
    return rb_random_ulong_limited(rb_cRandom, limit);
}

void rb_reset_random_seed(void)
{
    OWN(rb_mKernel, "srand");
}

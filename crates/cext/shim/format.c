/* `rb_sprintf` and its kin: the C library's conversions, and values by `to_s` or `inspect`. */
#include "rbl.h"

/* One conversion of the format: where it begins and ends, and what it takes. */
struct conversion {
    char text[64];
    int stars;
    char size[3];
    char kind;
    bool value, inspect, escape, left;
    int width, precision;
};

static const char *parse(const char *p, struct conversion *c)
{
    const char *start = p++;
    memset(c, 0, sizeof *c);
    c->width = c->precision = -1;
    for (; *p && strchr("-+ #0", *p); p++) {
        if (*p == '+') c->inspect = true;
        if (*p == '-') c->left = true;
        if (*p == ' ') c->escape = true;
    }
    if (*p == '*') {
        c->stars++;
        c->width = -2;
        p++;
    } else if (ISDIGIT(*p)) {
        c->width = (int)strtol(p, (char **)&p, 10);
    }
    if (*p == '.') {
        p++;
        if (*p == '*') {
            c->stars++;
            c->precision = -2;
            p++;
        } else {
            c->precision = (int)strtol(p, (char **)&p, 10);
        }
    }
    for (int n = 0; *p && strchr("hlqjztL", *p); p++)
        if (n < 2) c->size[n++] = *p;
    c->kind = *p;
    if (*p) p++;
    c->value = c->kind == 'i' && c->size[0] == 'l' && *p == '\v';
    size_t len = (size_t)(p - start);
    if (len >= sizeof c->text) len = sizeof c->text - 1;
    memcpy(c->text, start, len);
    if (c->value) p++;
    return p;
}

/* Appends `text`, and takes over its encoding while the result is ASCII only. */
static void append_text(VALUE out, VALUE text)
{
    rb_encoding *enc = rb_enc_get(text);
    if (rb_enc_get_index(out) != rb_enc_to_index(enc) && !rb_enc_str_asciionly_p(text) && rb_enc_str_asciionly_p(out))
        rb_enc_associate(out, enc);
    rb_str_cat(out, RSTRING_PTR(text), RSTRING_LEN(text));
    RB_GC_GUARD(text);
}

/* What `inspect` writes of a string between the quotes, but for the escapes of `#`. */
static VALUE escaped(VALUE text)
{
    VALUE whole = rb_inspect(text), inner = rb_enc_str_new(0, 0, rb_enc_get(whole));
    const char *p = RSTRING_PTR(whole) + 1, *end = RSTRING_END(whole) - 1;
    for (const char *from = p; p < end; from = p) {
        while (p < end && *p != '\\') p++;
        rb_str_cat(inner, from, p - from);
        if (p == end) break;
        if (p[1] != '#') rb_str_cat(inner, p, 2);
        else rb_str_cat(inner, "#", 1);
        p += 2;
    }
    RB_GC_GUARD(whole);
    return inner;
}

static VALUE text_of(struct conversion *c, VALUE value)
{
    if (c->inspect) return rb_inspect(value);
    VALUE text = rb_obj_as_string(value);
    return c->escape && !SYMBOL_P(value) ? escaped(text) : text;
}

static void append_value(VALUE out, struct conversion *c, VALUE value)
{
    VALUE text = text_of(c, value);
    long width = c->width, precision = c->precision;
    if (precision >= 0 && rb_str_strlen(text) > precision) text = rb_str_substr(text, 0, precision);
    long fill = width > 0 ? width - rb_str_strlen(text) : 0;
    if (!c->left)
        for (; fill > 0; fill--) rb_str_cat(out, " ", 1);
    append_text(out, text);
    for (; fill > 0; fill--) rb_str_cat(out, " ", 1);
}

static void append_filled(VALUE out, const struct conversion *c, int width, const char *text)
{
    int n = (int)strlen(text);
    bool left = c->left || width < 0;
    int fill = abs(width) - n;
    for (; !left && fill > 0; fill--) rb_str_cat(out, " ", 1);
    rb_str_cat(out, text, n);
    for (; fill > 0; fill--) rb_str_cat(out, " ", 1);
}

/* An address as CRuby writes it: with all its digits. */
static void append_address(VALUE out, const struct conversion *c, int width, void *address)
{
    char digits[24];
    snprintf(digits, sizeof digits, "0x%016lx", (unsigned long)(uintptr_t)address);
    append_filled(out, c, width, digits);
}

/* What is no number is written in Ruby's words, not in the C library's. Otherwise false. */
static bool append_endless(VALUE out, const struct conversion *c, int width, long double number)
{
    if (isfinite(number)) return false;
    char text[8] = "NaN";
    if (!isnan(number))
        snprintf(text, sizeof text, "%sInf",
            number < 0 ? "-" : strchr(c->text, '+') ? "+" : strchr(c->text, ' ') ? " " : "");
    append_filled(out, c, width, text);
    return true;
}

#define APPEND_FLOAT(type) \
    do { \
        va_list ahead; \
        va_copy(ahead, ap); \
        bool endless = append_endless(out, &c, c.stars ? stars[0] : c.width, va_arg(ahead, type)); \
        va_end(ahead); \
        if (endless) (void)va_arg(ap, type); \
        else APPEND(type); \
    } while (0)

#define APPEND(type) \
    do { \
        type argument = va_arg(ap, type); \
        int n = c.stars == 2 ? snprintf(small, sizeof small, c.text, stars[0], stars[1], argument) \
              : c.stars == 1 ? snprintf(small, sizeof small, c.text, stars[0], argument) \
                             : snprintf(small, sizeof small, c.text, argument); \
        if (n < (int)sizeof small) { \
            if (n > 0) rb_str_cat(out, small, n); \
        } else { \
            char *large = malloc((size_t)n + 1); \
            if (!large) rb_memerror(); \
            if (c.stars == 2) snprintf(large, (size_t)n + 1, c.text, stars[0], stars[1], argument); \
            else if (c.stars == 1) snprintf(large, (size_t)n + 1, c.text, stars[0], argument); \
            else snprintf(large, (size_t)n + 1, c.text, argument); \
            rb_str_cat(out, large, n); \
            free(large); \
        } \
    } while (0)

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
VALUE rb_str_vcatf(VALUE out, const char *fmt, va_list list)
{
    va_list ap;
    va_copy(ap, list);
    StringValue(out);
    for (const char *p = fmt; *p;) {
        const char *plain = p;
        while (*p && *p != '%') p++;
        if (p > plain) rb_str_cat(out, plain, p - plain);
        if (!*p) break;
        struct conversion c;
        char small[256];
        int stars[2] = {0, 0};
        p = parse(p, &c);
        if (c.kind == '%') {
            rb_str_cat(out, "%", 1);
            continue;
        }
        for (int i = 0; i < c.stars; i++) stars[i] = va_arg(ap, int);
        if (c.value) {
            int star = 0;
            if (c.width == -2) {
                c.width = stars[star++];
                if (c.width < 0) {
                    c.width = -c.width;
                    c.left = true;
                }
            }
            if (c.precision == -2) c.precision = stars[star];
            append_value(out, &c, va_arg(ap, VALUE));
            continue;
        }
        switch (c.kind) {
          case 'd': case 'i': case 'u': case 'o': case 'x': case 'X':
            if (c.size[0] == 'l' && c.size[1] == 'l') APPEND(long long);
            else if (c.size[0] == 'l' || c.size[0] == 'z' || c.size[0] == 't' || c.size[0] == 'j' || c.size[0] == 'q')
                APPEND(long);
            else APPEND(int);
            break;
          case 'c':
            APPEND(int);
            break;
          case 's':
            APPEND(const char *);
            break;
          case 'p':
            append_address(out, &c, c.stars ? stars[0] : c.width, va_arg(ap, void *));
            break;
          case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
            if (c.size[0] == 'L') APPEND_FLOAT(long double);
            else APPEND_FLOAT(double);
            break;
          case '\0':
            rb_raise(rb_eArgError, "incomplete format specifier; use %%%% (double %%) instead");
          default:
            rb_raise(rb_eArgError, "malformed format string - %%%c", c.kind);
        }
    }
    va_end(ap);
    return out;
}

VALUE rb_vsprintf(const char *fmt, va_list ap)
{
    return rb_enc_vsprintf(0, fmt, ap);
}

VALUE rb_enc_vsprintf(rb_encoding *enc, const char *fmt, va_list ap)
{
    VALUE out = rb_str_buf_new((long)strlen(fmt) + 32);
    if (enc) rb_enc_associate(out, enc);
    return rb_str_vcatf(out, fmt, ap);
}

VALUE rb_sprintf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    VALUE out = rb_vsprintf(fmt, ap);
    va_end(ap);
    return out;
}

VALUE rb_enc_sprintf(rb_encoding *enc, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    VALUE out = rb_enc_vsprintf(enc, fmt, ap);
    va_end(ap);
    return out;
}

VALUE rb_str_catf(VALUE out, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    rb_str_vcatf(out, fmt, ap);
    va_end(ap);
    return out;
}

/* The same format for the C library, whose `%p` leaves zeros out.
 * `to` has room for eight more bytes for each of them. */
static void spell_addresses(const char *from, char *to)
{
    while (*from) {
        if (*from != '%') {
            *to++ = *from++;
            continue;
        }
        size_t head = 1 + strspn(from + 1, "-+ #0123456789.*hlLqjzt");
        bool address = from[head] == 'p', wide = head > 1;
        if (address && !wide) to = stpcpy(to, "0x");
        if (address && wide) from++, head--, to = stpcpy(to, "%#");
        memcpy(to, from, head);
        to += head;
        from += head;
        if (address) {
            to = stpcpy(to, ".16lx");
            from++;
        } else if (*from) {
            *to++ = *from++;
        }
    }
    *to = 0;
}

#undef vsnprintf
/* Called without the lock, too. */
int ruby_vsnprintf(char *out, size_t room, const char *fmt, va_list ap)
{
    size_t addresses = 0;
    for (const char *p = fmt; (p = strchr(p, 'p')); p++) addresses++;
    if (!addresses) return vsnprintf(out, room, fmt, ap);
    char few[256], *spelled = few;
    size_t size = strlen(fmt) + 8 * addresses + 1;
    if (size > sizeof few && !(spelled = malloc(size))) return -1;
    spell_addresses(fmt, spelled);
    int length = vsnprintf(out, room, spelled, ap);
    if (spelled != few) free(spelled);
    return length;
}

int ruby_snprintf(char *out, size_t room, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int length = ruby_vsnprintf(out, room, fmt, ap);
    va_end(ap);
    return length;
}

/* What `IO.open` takes: modes, permissions and encodings, taken apart for extensions that make things like an IO. */
#include "rbl.h"
#include <fcntl.h>

/* The value of an option, or nil. */
static VALUE option(VALUE options, const char *name)
{
    return rb_hash_lookup(options, ID2SYM((rb_intern)(name)));
}

/* The internal encoding of "-": bytes are not converted, whatever the default is. */
static rb_encoding *const UNCONVERTED = (rb_encoding *)-1;

/* `enc` is the encoding of strings, and `enc2` that of the bytes where these are converted. Null:
 * the default external one. */
static void set_encodings(rb_encoding *external, rb_encoding *internal, rb_encoding **enc, rb_encoding **enc2)
{
    int is_default = !external;
    if (is_default) external = rb_default_external_encoding();
    if (!internal && external != rb_ascii8bit_encoding()) internal = rb_default_internal_encoding();
    if (!internal || internal == UNCONVERTED || internal == external) {
        *enc = is_default && internal != external ? 0 : external;
        *enc2 = 0;
    } else {
        *enc = internal;
        *enc2 = external;
    }
}

static rb_encoding *find_encoding(const char *name, long len)
{
    VALUE text = rb_str_new(name, len);
    int index = rb_enc_find_index(StringValueCStr(text));
    if (index >= 0) return rb_enc_from_index(index);
    rb_warn("Unsupported encoding %" PRIsVALUE " ignored", text);
    return 0;
}

/* Reads "EXTERNAL" or "EXTERNAL:INTERNAL"; a "BOM|" in front is noted in the mode. */
static void parse_encodings(const char *text, rb_encoding **enc, rb_encoding **enc2, int *fmode)
{
    const char *colon = strchr(text, ':');
    long len = colon ? colon - text : (long)strlen(text);
    if (len > 4 && !strncasecmp(text, "bom|", 4)) {
        text += 4;
        len -= 4;
        if (len > 3 && !strncasecmp(text, "utf", 3)) {
            *fmode |= FMODE_SETENC_BY_BOM;
        } else {
            rb_warn("BOM with non-UTF encoding %.*s is nonsense", (int)len, text);
        }
    }
    rb_encoding *external = find_encoding(text, len), *internal = 0;
    if (colon) internal = strcmp(colon + 1, "-") ? find_encoding(colon + 1, (long)strlen(colon + 1)) : UNCONVERTED;
    if (internal && internal == external) {
        rb_warn("Ignoring internal encoding '%s': it is identical to external encoding '%.*s'", colon + 1, (int)len,
            text);
        internal = UNCONVERTED;
    }
    set_encodings(external, internal, enc, enc2);
}

static int is_dash(VALUE value)
{
    return RB_TYPE_P(value, T_STRING) && RSTRING_LEN(value) == 1 && *RSTRING_PTR(value) == '-';
}

int rb_io_extract_encoding_option(VALUE options, rb_encoding **enc, rb_encoding **enc2, int *fmode)
{
    VALUE external_key = ID2SYM((rb_intern)("external_encoding")),
        internal_key = ID2SYM((rb_intern)("internal_encoding"));
    VALUE both = Qnil, outer = Qundef, inner = Qundef;
    if (!NIL_P(options)) {
        both = option(options, "encoding");
        outer = rb_hash_lookup2(options, external_key, Qundef);
        inner = rb_hash_lookup2(options, internal_key, Qundef);
    }
    int has_outer = !RB_UNDEF_P(outer), has_inner = !RB_UNDEF_P(inner);
    if ((has_outer || has_inner) && !NIL_P(both)) {
        rb_warn("Ignoring encoding parameter '%" PRIsVALUE "': %s_encoding is used", both,
            has_outer ? "external" : "internal");
        both = Qnil;
    }
    if (!NIL_P(both)) {
        VALUE text = rb_check_string_type(both);
        if (NIL_P(text)) {
            set_encodings(rb_to_encoding(both), 0, enc, enc2);
        } else {
            parse_encodings(StringValueCStr(text), enc, enc2, fmode);
        }
        return 1;
    }
    if (!has_outer && !has_inner) return 0;
    rb_encoding *external = has_outer && !NIL_P(outer) ? rb_to_encoding(outer) : 0, *internal = 0;
    if (has_inner) internal = NIL_P(inner) || is_dash(inner) ? UNCONVERTED : rb_to_encoding(inner);
    if (internal && internal == external) internal = UNCONVERTED;
    set_encodings(external, internal, enc, enc2);
    return 1;
}

/* One of the options `textmode` and `binmode`. */
static void take_kind(VALUE options, const char *name, int own, int other, int *fmode)
{
    VALUE value = option(options, name);
    if (NIL_P(value)) return;
    if (*fmode & own) rb_raise(rb_eArgError, "%s specified twice", name);
    if (*fmode & other) rb_raise(rb_eArgError, "both textmode and binmode specified");
    if (RTEST(value)) *fmode |= own;
}

void rb_io_extract_modeenc(VALUE *vmode, VALUE *vperm, VALUE options, int *oflags_out, enum rb_io_mode *fmode_out,
    rb_io_enc_t *encodings)
{
    rb_encoding *enc = 0, *enc2 = 0;
    int fmode = FMODE_READABLE, oflags = O_RDONLY, named = 0;
    VALUE mode = vmode ? *vmode : Qnil;
    VALUE given = NIL_P(options) ? Qnil : option(options, "mode");
    if (!NIL_P(given)) {
        if (!NIL_P(mode)) rb_raise(rb_eArgError, "mode specified twice");
        mode = given;
    }
    VALUE number = NIL_P(mode) ? Qnil : rb_check_to_integer(mode, "to_int");
    if (!NIL_P(number)) {
        mode = number;
        oflags = NUM2INT(number);
        fmode = rb_io_oflags_fmode(oflags);
    } else if (!NIL_P(mode)) {
        const char *text = StringValueCStr(mode);
        fmode = rb_io_modestr_fmode(text);
        oflags = rb_io_modestr_oflags(text);
        const char *colon = strchr(text, ':');
        named = !!colon;
        if (colon) parse_encodings(colon + 1, &enc, &enc2, &fmode);
    }
    if (!NIL_P(options)) {
        take_kind(options, "textmode", FMODE_TEXTMODE, FMODE_BINMODE, &fmode);
        take_kind(options, "binmode", FMODE_BINMODE, FMODE_TEXTMODE, &fmode);
    }
    if (!named) set_encodings(fmode & FMODE_BINMODE ? rb_ascii8bit_encoding() : 0, 0, &enc, &enc2);
    if (!NIL_P(options)) {
        VALUE flags = option(options, "flags");
        if (!NIL_P(flags)) {
            oflags |= NUM2INT(rb_to_int(flags));
            mode = UINT2NUM((unsigned)oflags);
            fmode = rb_io_oflags_fmode(oflags) | (fmode & (FMODE_BINMODE | FMODE_TEXTMODE));
        }
        VALUE permission = option(options, "perm");
        if (!NIL_P(permission) && vperm) {
            if (!NIL_P(*vperm)) rb_raise(rb_eArgError, "perm specified twice");
            *vperm = permission;
        }
        if (rb_io_extract_encoding_option(options, &enc, &enc2, &fmode) && named)
            rb_raise(rb_eArgError, "encoding specified twice");
    }
    if ((fmode & FMODE_BINMODE) && (fmode & FMODE_TEXTMODE))
        rb_raise(rb_eArgError, "both textmode and binmode specified");
    if ((fmode & FMODE_READABLE) && !(fmode & FMODE_BINMODE) && !enc2
        && !rb_enc_asciicompat(enc ? enc : rb_default_external_encoding()))
        rb_raise(rb_eArgError, "ASCII incompatible encoding needs binmode");
    if (vmode) *vmode = mode;
    *oflags_out = oflags;
    *fmode_out = fmode;
    encodings->enc = enc;
    encodings->enc2 = enc2;
    encodings->ecflags = 0;
    encodings->ecopts = Qnil;
}

VALUE rb_io_set_timeout(VALUE io, VALUE timeout)
{
    OWN(io, "timeout=", timeout);
    return io;
}

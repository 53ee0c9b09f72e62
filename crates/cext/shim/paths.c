/* Paths: their parts, files on the load path, patterns. */
#include "rbl.h"
#include <dlfcn.h>
#include <unistd.h>

/* -- parts ----------------------------------------------------------------------------------------- */

/* From here to the next separator. */
char *rb_enc_path_next(const char *p, const char *end, rb_encoding *enc)
{
    while (p < end && *p != '/') p += rb_enc_mbclen(p, end, enc);
    return (char *)p;
}

/* There are no drives. */
char *rb_enc_path_skip_prefix(const char *p, const char *end, rb_encoding *enc)
{
    return (char *)p;
}

static const char *behind_separators(const char *p, const char *end)
{
    while (p < end && *p == '/') p++;
    return p;
}

/* Where the last run of separators begins that something follows, or with `at_end` that nothing follows; null,
 * if there is none. */
static const char *last_run(const char *p, const char *end, rb_encoding *enc, int at_end)
{
    const char *last = 0;
    while (p < end) {
        if (*p != '/') {
            p += rb_enc_mbclen(p, end, enc);
            continue;
        }
        const char *first = p;
        p = behind_separators(p, end);
        if ((p >= end) == at_end) last = first;
    }
    return last;
}

/* The first of the last separators with something behind them; null, if there are none. */
char *rb_enc_path_last_separator(const char *p, const char *end, rb_encoding *enc)
{
    return (char *)last_run(p, end, enc, 0);
}

/* Where the path ends without separators behind it. */
static const char *without_end(const char *p, const char *end, rb_encoding *enc)
{
    const char *run = last_run(p, end, enc, 1);
    return run ? run : end;
}

char *rb_enc_path_end(const char *p, const char *end, rb_encoding *enc)
{
    if (p < end && *p == '/') p++;
    return (char *)without_end(p, end, enc);
}

/* The last part. `whole` has the path's length, and gets the part's, for the root -1;
 * `base` gets the length without a suffix. */
const char *ruby_enc_find_basename(const char *name, long *base, long *whole, rb_encoding *enc)
{
    long len = whole ? *whole : (long)strlen(name);
    if (len <= 0) return name;
    const char *end = name + len, *p = behind_separators(name, end), *dot = 0;
    if (p == end) {
        if (base) *base = 1;
        if (whole) *whole = -1;
        return p - 1;
    }
    const char *last = rb_enc_path_last_separator(p, end, enc);
    if (last) p = behind_separators(last, end);
    const char *stop = without_end(p, end, enc), *at = p;
    while (at < stop && *at == '.') at++;
    for (; at < stop; at += rb_enc_mbclen(at, stop, enc))
        if (*at == '.') dot = at;
    if (base) *base = (dot ? dot : stop) - p;
    if (whole) *whole = stop - p;
    return p;
}

const char *ruby_enc_find_extname(const char *name, long *lenp, rb_encoding *enc)
{
    long len = lenp ? *lenp : (long)strlen(name);
    const char *end = name + len, *base = name, *dot = 0;
    for (const char *p = name; p < end; p++)
        if (*p == '/') base = p + 1;
    const char *p = base;
    while (p < end && *p == '.') p++;
    for (; p < end; p++)
        if (*p == '.') dot = p;
    if (!dot || dot + 1 == end) {
        if (lenp) *lenp = 0;
        return 0;
    }
    if (lenp) *lenp = end - dot;
    return dot;
}

int rb_is_absolute_path(const char *path)
{
    return *path == '/';
}

/* -- files on the load path ---------------------------------------------------------------------------- */

static bool can_be_read(VALUE path)
{
    return RTEST(OWN(rb_cFile, "file?", path)) && access(StringValueCStr(path), R_OK) == 0;
}

/* A path that says itself where it lies. */
static bool is_explicit(const char *path)
{
    return *path == '~' || rb_is_absolute_path(path) || strncmp(path, "./", 2) == 0 || strncmp(path, "../", 3) == 0;
}

/* The file, with one of the suffixes, whose place in the list is put into `which`; 0, if there is none. */
static VALUE find_with(VALUE path, const char *const *suffixes, int *which)
{
    bool is_placed = is_explicit(StringValueCStr(path));
    VALUE dirs = is_placed ? rb_ary_new_from_args(1, Qnil) : rb_ary_dup(rb_gv_get("$LOAD_PATH"));
    for (int j = 0; suffixes[j]; j++) {
        VALUE name = rb_str_plus(path, rb_str_new_cstr(suffixes[j]));
        for (long i = 0; i < RARRAY_LEN(dirs); i++) {
            VALUE dir = RARRAY_AREF(dirs, i);
            VALUE full = rb_file_expand_path(name, NIL_P(dir) ? Qnil : rb_get_path(dir));
            if (!can_be_read(full)) continue;
            *which = j;
            return full;
        }
    }
    return 0;
}

VALUE rb_find_file(VALUE path)
{
    static const char *const plain[] = {"", 0};
    int which;
    return find_with(rb_get_path(path), plain, &which);
}

/* The number of the suffix with which there is a file, from 1 on, which takes the path's place; otherwise 0. */
int rb_find_file_ext(VALUE *path, const char *const *suffixes)
{
    int which;
    VALUE found = find_with(rb_get_path(*path), suffixes, &which);
    if (!found) return 0;
    *path = found;
    return which + 1;
}

/* -- libraries that were loaded -------------------------------------------------------------------------- */

/* The path of a feature that is loaded, or nil. */
static VALUE loaded_path(const char *feature)
{
    VALUE features = rb_gv_get("$LOADED_FEATURES");
    size_t n = strlen(feature);
    for (long i = RARRAY_LEN(features) - 1; i >= 0; i--) {
        VALUE entry = rb_check_string_type(RARRAY_AREF(features, i));
        if (NIL_P(entry)) continue;
        const char *path = StringValueCStr(entry), *at = path;
        for (; (at = strstr(at, feature)); at++) {
            bool begins = at == path || at[-1] == '/',
                ends = !at[n] || strcmp(at + n, ".so") == 0 || strcmp(at + n, ".rb") == 0;
            if (begins && ends) return entry;
        }
    }
    return Qnil;
}

/* Whether the feature is there; `loading` gets the path of one that is being loaded, which is not told here. */
int rb_feature_provided(const char *feature, const char **loading)
{
    if (loading) *loading = 0;
    return rb_provided(feature);
}

/* The address of a function or variable of an extension that is loaded; null, if it has none of that name. What counts
 * as loaded and has no file of its own, as complex.so, is part of the command. */
void *rb_ext_resolve_symbol(const char *feature, const char *name)
{
    VALUE path = loaded_path(feature);
    void *library = NIL_P(path) ? 0 : dlopen(StringValueCStr(path), RTLD_LAZY | RTLD_NOLOAD);
    if (!library) return rb_provided(feature) ? dlsym(RTLD_DEFAULT, name) : 0;
    void *found = dlsym(library, name);
    dlclose(library);
    return found;
}

/* -- patterns ---------------------------------------------------------------------------------------- */

void rb_glob(const char *pattern, void (*function)(const char *, VALUE, void *), VALUE arg)
{
    VALUE list = OWN(rb_cDir, "glob", rb_str_new_cstr(pattern));
    for (long i = 0; i < RARRAY_LEN(list); i++) {
        VALUE path = RARRAY_AREF(list, i);
        function(StringValueCStr(path), arg, (void *)rb_utf8_encoding());
    }
}

/* Tells of each path, until the function gives another number than 0, which is the result. */
static int tell_matches(VALUE pattern, int flags, ruby_glob_func *function, VALUE arg)
{
    VALUE list = OWN(rb_cDir, "glob", pattern, INT2NUM(flags));
    int stop = 0;
    for (long i = 0; !stop && i < RARRAY_LEN(list); i++) {
        VALUE path = RARRAY_AREF(list, i);
        stop = function(StringValueCStr(path), arg);
    }
    return stop;
}

int ruby_brace_glob(const char *pattern, int flags, ruby_glob_func *function, VALUE arg)
{
    return tell_matches(rb_str_new_cstr(pattern), flags, function, arg);
}

/* As above, but braces in the middle are characters like others. */
int ruby_glob(const char *pattern, int flags, ruby_glob_func *function, VALUE arg)
{
    VALUE quoted = rb_str_new(0, 0);
    for (const char *p = pattern; *p; p++) {
        if (*p == '{' && p != pattern) rb_str_cat(quoted, "\\", 1);
        rb_str_cat(quoted, p, 1);
        if (*p == '\\' && p[1]) rb_str_cat(quoted, ++p, 1);
    }
    return tell_matches(quoted, flags, function, arg);
}

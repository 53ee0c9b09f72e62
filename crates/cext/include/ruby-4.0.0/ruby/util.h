#ifndef RUBELLITE_RUBY_UTIL_H
#define RUBELLITE_RUBY_UTIL_H
/* Small helpers. */
#include "ruby/ruby.h"
#define scan_oct(s, l, e) ((int)ruby_scan_oct((s), (l), (e)))
#define scan_hex(s, l, e) ((int)ruby_scan_hex((s), (l), (e)))
#undef strdup
#define strdup(s) ruby_strdup(s)
#undef strtod
#define strtod(s, e) ruby_strtod((s), (e))
#define my_getcwd() ruby_getcwd()

RBL_BEGIN_DECLS

/* util */
char *ruby_strdup(const char *);
double ruby_strtod(const char *, char **);
unsigned long ruby_scan_digits(const char *, ssize_t, int, size_t *, int *);
unsigned long ruby_scan_hex(const char *, size_t, size_t *);
unsigned long ruby_scan_oct(const char *, size_t, size_t *);
char *ruby_getcwd(void);
void ruby_setenv(const char *, const char *);
void ruby_unsetenv(const char *);
void ruby_each_words(const char *, void (*)(const char *, int, void *), void *);
RBL_END_DECLS
#endif

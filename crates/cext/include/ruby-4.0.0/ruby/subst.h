#ifndef RUBELLITE_SUBST_H
#define RUBELLITE_SUBST_H
/* The C library's functions, but for addresses, which have all their digits.
 * C++ asks for the names in its own namespace. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif
int ruby_snprintf(char *, size_t, const char *, ...);
int ruby_snprintf(char *, size_t, const char *, ...)
    __attribute__((format(printf, 3, 4)));
int ruby_vsnprintf(char *, size_t, const char *, va_list);
#ifdef __cplusplus
}
#else
#undef snprintf
#undef vsnprintf
#define snprintf ruby_snprintf
#define vsnprintf ruby_vsnprintf
#endif
#endif

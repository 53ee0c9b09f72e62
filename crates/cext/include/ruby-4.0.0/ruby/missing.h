#ifndef RUBELLITE_MISSING_H
#define RUBELLITE_MISSING_H
/* What older C libraries of this system do not have. */
#include <stddef.h>
#ifndef strlcpy
#define strlcpy ruby_strlcpy
#endif
#ifndef strlcat
#define strlcat ruby_strlcat
#endif

#ifdef __cplusplus
extern "C" {
#endif
size_t ruby_strlcpy(char *, const char *, size_t);
size_t ruby_strlcat(char *, const char *, size_t);
#ifdef __cplusplus
}
#endif
#endif

#ifndef RUBELLITE_SUBST_H
#define RUBELLITE_SUBST_H
/* The C library's functions do what the runtime's own did. */
#define ruby_snprintf snprintf
#define ruby_vsnprintf vsnprintf
#endif

#ifndef RUBELLITE_INTERNAL_MEMORY_H
#define RUBELLITE_INTERNAL_MEMORY_H
/* Memory that the collector's pacing counts. */
#include "ruby/internal/data.h"

RBL_BEGIN_DECLS
void *ruby_xmalloc2(size_t, size_t);
void *rb_alloc_tmp_buffer_with_count(volatile VALUE *, size_t, size_t);
RBL_END_DECLS

#define xmalloc ruby_xmalloc
#define xmalloc2 ruby_xmalloc2
#define xcalloc ruby_xcalloc
#define xrealloc ruby_xrealloc
#define xrealloc2 ruby_xrealloc2
#define xfree ruby_xfree

#define RB_ALLOC_N(type, n) ((type *)ruby_xmalloc2((size_t)(n), sizeof(type)))
#define RB_ALLOC(type) ((type *)ruby_xmalloc(sizeof(type)))
#define RB_ZALLOC_N(type, n) ((type *)ruby_xcalloc((size_t)(n), sizeof(type)))
#define RB_ZALLOC(type) RB_ZALLOC_N(type, 1)
#define RB_REALLOC_N(var, type, n) ((var) = (type *)ruby_xrealloc2((void *)(var), (size_t)(n), sizeof(type)))
#define RB_ALLOCA_N(type, n) ((type *)alloca(sizeof(type) * (size_t)(n)))
#define ALLOCA_N RB_ALLOCA_N
#define ALLOC_N RB_ALLOC_N
#define ALLOC RB_ALLOC
#define ZALLOC_N RB_ZALLOC_N
#define ZALLOC RB_ZALLOC
#define REALLOC_N RB_REALLOC_N
#define RUBY_ALLOCV_LIMIT 1024
#define RB_ALLOCV(v, n) ((n) < RUBY_ALLOCV_LIMIT ? ((v) = 0, alloca(n)) : rb_alloc_tmp_buffer(&(v), (long)(n)))
#define RB_ALLOCV_N(type, v, n) ((type *)RB_ALLOCV(v, sizeof(type) * (size_t)(n)))
#define RB_ALLOCV_END(v) rb_free_tmp_buffer(&(v))
#define ALLOCV RB_ALLOCV
#define ALLOCV_N RB_ALLOCV_N
#define ALLOCV_END RB_ALLOCV_END

#define MEMZERO(p, type, n) memset((p), 0, sizeof(type) * (size_t)(n))
#define MEMCPY(p1, p2, type, n) memcpy((p1), (p2), sizeof(type) * (size_t)(n))
#define MEMMOVE(p1, p2, type, n) memmove((p1), (p2), sizeof(type) * (size_t)(n))
#define MEMCMP(p1, p2, type, n) memcmp((p1), (p2), sizeof(type) * (size_t)(n))
#define ruby_nonempty_memcpy memcpy

#endif

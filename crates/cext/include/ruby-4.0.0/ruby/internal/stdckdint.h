/* Arithmetic that tells whether the result fits. */
#include "ruby/ruby.h"
#ifndef ckd_add
# define ckd_add(result, x, y) __builtin_add_overflow((x), (y), (result))
# define ckd_sub(result, x, y) __builtin_sub_overflow((x), (y), (result))
# define ckd_mul(result, x, y) __builtin_mul_overflow((x), (y), (result))
#endif

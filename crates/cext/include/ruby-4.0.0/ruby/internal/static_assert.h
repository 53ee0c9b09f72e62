#ifndef RUBELLITE_RUBY_INTERNAL_STATIC_ASSERT_H
#define RUBELLITE_RUBY_INTERNAL_STATIC_ASSERT_H
#include <assert.h>
#define RBIMPL_STATIC_ASSERT0 static_assert
#define RBIMPL_STATIC_ASSERT(name, expr) static_assert(expr, #name ": " #expr)
#endif

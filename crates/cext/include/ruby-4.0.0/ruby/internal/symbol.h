#ifndef RUBELLITE_RUBY_INTERNAL_SYMBOL_H
#define RUBELLITE_RUBY_INTERNAL_SYMBOL_H
/* Symbols and IDs; what declares them is included by ruby.h. */
#include "ruby/ruby.h"
#endif

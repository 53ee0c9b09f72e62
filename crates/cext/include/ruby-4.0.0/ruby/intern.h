#ifndef RUBELLITE_RUBY_INTERN_H
#define RUBELLITE_RUBY_INTERN_H
#include "ruby/ruby.h"
#endif

#ifndef RUBELLITE_RUBY_H
#define RUBELLITE_RUBY_H
#include "ruby/ruby.h"
#endif

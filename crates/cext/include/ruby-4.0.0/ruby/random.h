#ifndef RUBELLITE_RUBY_RANDOM_H
#define RUBELLITE_RUBY_RANDOM_H
#include "ruby/ruby.h"
#endif

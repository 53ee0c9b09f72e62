#ifndef RUBELLITE_RUBY_REGEX_H
#define RUBELLITE_RUBY_REGEX_H
#include "ruby/onigmo.h"
#endif

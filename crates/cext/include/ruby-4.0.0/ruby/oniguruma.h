#ifndef RUBELLITE_RUBY_ONIGURUMA_H
#define RUBELLITE_RUBY_ONIGURUMA_H
#include "ruby/onigmo.h"
#endif

/* Where CRuby declares it. */
#include "ruby/ruby.h"

/* Where CRuby declares it. */
#include "ruby/debug.h"

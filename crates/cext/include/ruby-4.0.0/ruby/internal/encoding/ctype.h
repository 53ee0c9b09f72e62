/* Where CRuby declares it. */
#include "ruby/encoding.h"

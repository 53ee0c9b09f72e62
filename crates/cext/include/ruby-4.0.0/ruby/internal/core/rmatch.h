/* Where CRuby declares it. */
#include "ruby/re.h"

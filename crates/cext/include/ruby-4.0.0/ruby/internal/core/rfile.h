/* Where CRuby declares it. */
#include "ruby/io.h"

#ifndef RUBELLITE_RUBY_RUBY_H
#define RUBELLITE_RUBY_RUBY_H
#define RUBY_INTERN_H 1
#define RUBY_ST_H 1
/* The interface of Ruby 4.0 for extensions in C, as Rubellite has it. `docs/extensions.md` says what differs. */

#include "ruby/config.h"
#include "ruby/defines.h"
#include "ruby/version.h"
#include "ruby/internal/value.h"
#include "ruby/internal/types.h"
#include "ruby/st.h"
#include "ruby/internal/vars.h"
#include "ruby/internal/api.h"
#include "ruby/internal/anyargs.h"
#include "ruby/internal/inline.h"
#include "ruby/internal/data.h"
#include "ruby/internal/memory.h"
#include "ruby/internal/compat.h"
#include "ruby/internal/abi.h"
#include "ruby/internal/static_assert.h"
#include "ruby/subst.h"

#endif

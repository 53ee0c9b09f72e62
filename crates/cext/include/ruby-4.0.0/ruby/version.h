#ifndef RUBELLITE_RUBY_VERSION_H
#define RUBELLITE_RUBY_VERSION_H
#include "ruby/defines.h"

#define RUBY_API_VERSION_MAJOR 4
#define RUBY_API_VERSION_MINOR 0
#define RUBY_API_VERSION_TEENY 0
#define RUBY_API_VERSION_CODE (RUBY_API_VERSION_MAJOR * 10000 + RUBY_API_VERSION_MINOR * 100 + RUBY_API_VERSION_TEENY)
#define RUBY_AUTHOR "Yukihiro Matsumoto"

RBL_BEGIN_DECLS
extern const int ruby_api_version[3];
extern const char ruby_version[];
extern const char ruby_release_date[];
extern const char ruby_platform[];
extern const char ruby_description[];
extern const char ruby_copyright[];
extern const char ruby_engine[];
extern const int ruby_patchlevel;
RBL_END_DECLS
#endif

#ifndef RUBELLITE_RUBY_VM_H
#define RUBELLITE_RUBY_VM_H
#include "ruby/ruby.h"

RBL_BEGIN_DECLS

/* vm */
void ruby_vm_at_exit(void (*)(ruby_vm_t *));
RBL_END_DECLS
#endif

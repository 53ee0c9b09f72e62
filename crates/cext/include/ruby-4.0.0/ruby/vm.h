#ifndef RUBELLITE_RUBY_VM_H
#define RUBELLITE_RUBY_VM_H
#include "ruby/ruby.h"

RBL_BEGIN_DECLS

/* vm */
void ruby_vm_at_exit(void (*)(ruby_vm_t *));
int ruby_vm_destruct(ruby_vm_t *);
bool ruby_free_at_exit_p(void);
RBL_END_DECLS
#endif

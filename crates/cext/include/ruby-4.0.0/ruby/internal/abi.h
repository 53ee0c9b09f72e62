#ifndef RUBELLITE_INTERNAL_ABI_H
#define RUBELLITE_INTERNAL_ABI_H
#include "ruby/defines.h"

/* Every object that is compiled with these headers carries this mark. `require` looks at it before anything in the
 * object runs: what was compiled for another Ruby, or with headers whose layouts are others, would read objects wrong.
 * A note says the same: linkers keep it where they leave out what nobody refers to, and where the linked object exports
 * names of another language alone. */
#define RUBELLITE_ABI_VERSION 3

RBL_BEGIN_DECLS
extern unsigned int rubellite_abi_version;
__attribute__((__weak__, __visibility__("default"), __used__))
unsigned int rubellite_abi_version = RUBELLITE_ABI_VERSION;
RBL_END_DECLS
__asm__(
    ".pushsection .note.rubellite,\"a\",%note\n"
    ".balign 4\n"
    ".long 10, 4, 1\n"
    ".asciz \"Rubellite\"\n"
    ".balign 4\n"
    ".long " STRINGIZE(RUBELLITE_ABI_VERSION) "\n"
    ".popsection\n");
#endif

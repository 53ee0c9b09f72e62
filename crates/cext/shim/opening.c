/* Opening of a file whose static constructors call the interface.
 *
 * A constructor is called by the dynamic loader, which holds its lock meanwhile and is not written to be jumped over:
 * its lock would stay taken, and every other native thread that loads something would wait for ever. So an exit out of
 * a constructor is kept, the constructor returns to the loader as if it had come to its end, the loader does the rest,
 * and the exit goes on when the loader has returned. The loader's frame is found, and its registers are what they were,
 * by the tables for unwinding.
 *
 * Invariant: `rbl_self.opening->tag` is the thread's tag only while no other way into C lies between the constructor
 * and the exit. */
#include "rbl.h"
#include <dlfcn.h>
#include <sys/auxv.h>
#include <unwind.h>

struct rbl_opening {
    struct rbl_tag *tag;
    const char *path;
    struct rbl_saved saved;
    /* The first exit out of a constructor, or undef. */
    volatile VALUE exit;
};

/* The registers that a function leaves as they are, and where it returns to. */
struct return_point {
    uintptr_t rbx, rbp, r12, r13, r14, r15, rsp, rip;
    void *loader;
};

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *frame, void *data)
{
    enum { RBX = 3, RBP = 6, R12 = 12, R13, R14, R15 };
    struct return_point *point = data;
    uintptr_t address = _Unwind_GetIP(frame);
    Dl_info object;
    if (!address || !dladdr((void *)address, &object) || object.dli_fbase != point->loader) return _URC_NO_REASON;
    point->rbx = _Unwind_GetGR(frame, RBX);
    point->rbp = _Unwind_GetGR(frame, RBP);
    point->r12 = _Unwind_GetGR(frame, R12);
    point->r13 = _Unwind_GetGR(frame, R13);
    point->r14 = _Unwind_GetGR(frame, R14);
    point->r15 = _Unwind_GetGR(frame, R15);
    point->rsp = _Unwind_GetCFA(frame);
    point->rip = address;
    return _URC_END_OF_STACK;
}

RBL_NORETURN static void return_to(struct return_point *point)
{
    /* Nothing is read of this frame once the stack pointer has left it: a signal may come then. */
    __asm__ volatile(
        "movq 0(%0), %%rbx\n\tmovq 8(%0), %%rbp\n\tmovq 16(%0), %%r12\n\t"
        "movq 24(%0), %%r13\n\tmovq 32(%0), %%r14\n\tmovq 40(%0), %%r15\n\t"
        "movq 56(%0), %%rdx\n\tmovq 48(%0), %%rsp\n\tjmp *%%rdx"
        : : "a"(point) : "memory");
    __builtin_unreachable();
}

void rbl_leave_constructor(void)
{
    struct rbl_opening *opening = rbl_self.opening;
    if (rbl_self.now.tag != opening->tag) return;
    VALUE exit = rbl_exit_take(&opening->saved);
    if (opening->exit == Qundef) opening->exit = exit;
    struct return_point point = {.loader = (void *)getauxval(AT_BASE)};
    _Unwind_Backtrace(look_at_frame, &point);
    if (!point.rip) {
        fprintf(stderr, "[FATAL] an exception out of a static constructor of %s, "
            "which was compiled without tables for unwinding: it cannot be left\n", opening->path);
        abort();
    }
    return_to(&point);
}

static int open_file(const char *path, void **handle, struct rbl_opening *opening)
{
    ENTER(opening->tag = &tag; *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL));
}

int rbl_enter_open(const char *path, void **handle)
{
    struct rbl_opening opening = {.path = path, .exit = Qundef}, *outer = rbl_self.opening;
    rbl_protect_begin(&opening.saved);
    rbl_self.opening = &opening;
    int status = open_file(path, handle, &opening);
    rbl_self.opening = outer;
    if (opening.exit == Qundef) return status;
    rbl_exit_restore(&opening.saved, opening.exit);
    return 1;
}

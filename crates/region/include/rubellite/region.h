/*
 * region.h: work in C outside the VM lock, with a way to end it early, a way back in, and a cleanup that always runs.
 *
 * A rubellite_ctx is a thread's stay inside the VM: whoever has one holds the lock. A rubellite_region is its stay
 * outside. Both belong to the native thread that got them and are valid until the function that got them returns.
 *
 * Nothing here jumps: a Ruby exception (or kill, throw ...) is "pending", and the function that learns of it
 * returns RUBELLITE_EXIT. Clean up and return RUBELLITE_EXIT in turn; call nothing else of this header meanwhile.
 * Functions that you pass must return normally: no longjmp, no C++ exception.
 */
#ifndef RUBELLITE_REGION_H
#define RUBELLITE_REGION_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rubellite_ctx rubellite_ctx;
typedef struct rubellite_region rubellite_region;

/* What functions return, and what a cleanup is told. */
enum {
    RUBELLITE_DONE = 0,
    /* An exit is pending. */
    RUBELLITE_EXIT = 1,
    /* Only from a rubellite_work: it ended early because it was unblocked. */
    RUBELLITE_STOPPED = 2
};

/* Runs outside the lock. It may use the region and memory of its own, and nothing that belongs to the VM. */
typedef int rubellite_work(rubellite_region *region, void *argument);

/* Runs with the lock. */
typedef int rubellite_callback(rubellite_ctx *ctx, void *argument);

/* Ends the work. Called by another thread while the work runs, once per interrupt; it must not enter the VM. When the
 * work is begun again it must be ready to be called again. */
typedef void rubellite_unblock(void *argument);

/* Runs with the lock, once, when the work is over for good, whatever the outcome: RUBELLITE_DONE, the caller goes on
 * and may use what the work made; RUBELLITE_EXIT, nobody will. */
typedef void rubellite_cleanup(rubellite_ctx *ctx, void *argument, int outcome);

/* Ready-made unblock functions. */

/* The argument is a rubellite_flag, which the work looks at. It is cleared each time before the work begins. */
#define RUBELLITE_UNBLOCK_FLAG ((rubellite_unblock *)1)
/* The work waits for a descriptor in a system call, which returns with EINTR; the work then returns RUBELLITE_STOPPED.
 * No argument. The signal comes again until the work has returned, so that it is not lost when the call has yet to
 * begin. */
#define RUBELLITE_UNBLOCK_FD ((rubellite_unblock *)2)
/* The same for work that waits for a child process. */
#define RUBELLITE_UNBLOCK_PROCESS ((rubellite_unblock *)3)

typedef struct rubellite_flag {
    int set;
} rubellite_flag;

static inline int rubellite_flag_is_set(const rubellite_flag *flag)
{
    return __atomic_load_n(&flag->set, __ATOMIC_ACQUIRE);
}

/*
 * Lets go of the lock, runs work(region, work_argument), takes the lock back and handles the interrupts that came
 * meanwhile.
 *
 * Work that returns RUBELLITE_STOPPED is begun again when those interrupts raised nothing; it keeps what it has done so
 * far behind its argument. `unblock` may be NULL: the work cannot be ended, and interrupts take effect behind it.
 * `cleanup` may be NULL. An interrupt that is pending beforehand may keep the work from beginning at all; the cleanup
 * runs all the same.
 *
 * Returns RUBELLITE_DONE, or RUBELLITE_EXIT when an interrupt or a callback raised.
 */
int rubellite_without_lock(rubellite_ctx *ctx, rubellite_work *work, void *work_argument,
                           rubellite_unblock *unblock, void *unblock_argument,
                           rubellite_cleanup *cleanup, void *cleanup_argument);

/*
 * From inside the work: takes the lock back, handles interrupts, runs call(ctx, argument), lets go again.
 * RUBELLITE_EXIT: an exit is pending; the work should return, with any value.
 */
int rubellite_with_lock(rubellite_region *region, rubellite_callback *call, void *argument);

/* From inside the work: has somebody interrupted the thread? Whatever the unblock function is. */
int rubellite_interrupted(const rubellite_region *region);

/* With the lock: raises an exception of a class of that name. Returns RUBELLITE_EXIT. */
int rubellite_raise(rubellite_ctx *ctx, const char *class_name, const char *message);

/* With the lock: runs Ruby code at toplevel; its value is dropped. */
int rubellite_eval(rubellite_ctx *ctx, const char *source);

/* With the lock: handles what interrupts this thread, and lets others have their turn. */
int rubellite_check(rubellite_ctx *ctx);

#ifdef __cplusplus
}
#endif

#endif

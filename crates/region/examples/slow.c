/* An extension in C: a slow computation, a wait for a pipe and a wait for a child process, all outside the lock. */
#include "rubellite/region.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* How many jobs have memory that is not freed; only changed with the lock. */
int live_jobs;

struct job {
    uint64_t rounds, round, state;
    int reports;
    uint64_t *table;
    rubellite_flag stop;
};

static int report(rubellite_ctx *ctx, void *argument)
{
    (void)argument;
    return rubellite_eval(ctx, "$reports << Thread.current");
}

static int mix(rubellite_region *region, void *argument)
{
    struct job *job = argument;
    /* After a harmless interrupt this goes on where it was. */
    for (; job->round < job->rounds; job->round++) {
        if (job->round % 4096 == 0) {
            if (rubellite_flag_is_set(&job->stop))
                return RUBELLITE_STOPPED;
            if (job->reports && rubellite_with_lock(region, report, NULL) == RUBELLITE_EXIT)
                return RUBELLITE_EXIT;
        }
        job->state = job->state * 6364136223846793005u + job->table[job->round % 64];
    }
    return RUBELLITE_DONE;
}

static void free_job(rubellite_ctx *ctx, void *argument, int outcome)
{
    struct job *job = argument;
    (void)ctx;
    (void)outcome;
    free(job->table);
    live_jobs--;
}

/* Writes what `rounds` rounds make of a seed. */
int slow_mix(rubellite_ctx *ctx, uint64_t rounds, int reports, uint64_t *result)
{
    struct job job = {.rounds = rounds, .state = 1, .reports = reports};
    job.table = malloc(64 * sizeof *job.table);
    if (!job.table)
        return rubellite_raise(ctx, "NoMemoryError", "no memory for the table");
    live_jobs++;
    for (int i = 0; i < 64; i++)
        job.table[i] = i;
    int outcome = rubellite_without_lock(ctx, mix, &job, RUBELLITE_UNBLOCK_FLAG, &job.stop, free_job, &job);
    *result = job.state;
    return outcome;
}

struct wait {
    int fd;
    pid_t child;
    int result;
};

static int read_byte(rubellite_region *region, void *argument)
{
    struct wait *wait = argument;
    unsigned char byte;
    (void)region;
    ssize_t count = read(wait->fd, &byte, 1);
    if (count < 0 && errno == EINTR)
        return RUBELLITE_STOPPED;
    wait->result = count == 1 ? byte : -1;
    return RUBELLITE_DONE;
}

/* Waits for a byte. */
int slow_read(rubellite_ctx *ctx, int fd, int *byte)
{
    struct wait wait = {.fd = fd};
    int outcome = rubellite_without_lock(ctx, read_byte, &wait, RUBELLITE_UNBLOCK_FD, NULL, NULL, NULL);
    *byte = wait.result;
    return outcome;
}

static int wait_for_child(rubellite_region *region, void *argument)
{
    struct wait *wait = argument;
    int status;
    (void)region;
    if (waitpid(wait->child, &status, 0) < 0) {
        if (errno == EINTR)
            return RUBELLITE_STOPPED;
        status = -1;
    }
    wait->result = status;
    return RUBELLITE_DONE;
}

/* Waits for the end of a child process. */
int slow_wait(rubellite_ctx *ctx, int child, int *status)
{
    struct wait wait = {.child = child};
    int outcome = rubellite_without_lock(ctx, wait_for_child, &wait, RUBELLITE_UNBLOCK_PROCESS, NULL, NULL, NULL);
    *status = wait.result;
    return outcome;
}

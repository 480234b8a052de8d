#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { descriptor_max = 8, spare_descriptor_min = 64 };

/// Copies of the descriptors that are out of the way of the numbers that they are to have.
static int move_aside(const int *descriptors, int count, int *aside) {
    for (int i = 0; i < count; i++) {
        aside[i] = descriptors[i] < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : descriptors[i];
        if (aside[i] < 0) return errno;
        int copy = fcntl(aside[i], F_DUPFD_CLOEXEC, spare_descriptor_min);
        int error = errno;
        if (descriptors[i] < 0) close(aside[i]);
        aside[i] = copy;
        if (copy < 0) return error;
    }
    return 0;
}

static int prepare_attributes(posix_spawnattr_t *attributes) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setpgroup(attributes, 0);
    return posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
}

int csandbox_spawn(
    const char *path, char *const words[], char *const environment[], const int *descriptors, int descriptor_count,
    pid_t *process) {
    int aside[descriptor_max];
    for (int i = 0; i < descriptor_max; i++) aside[i] = -1;
    if (descriptor_count > descriptor_max) return EINVAL;

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    error = move_aside(descriptors, descriptor_count, aside);
    for (int i = 0; i < descriptor_count && !error; i++)
        error = posix_spawn_file_actions_adddup2(&actions, aside[i], i);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, descriptor_count);
    if (!error) error = posix_spawn_file_actions_addchdir_np(&actions, "/");
    if (!error) error = prepare_attributes(&attributes);
    if (!error) error = posix_spawn(process, path, &actions, &attributes, words, environment);

    for (int i = 0; i < descriptor_count; i++)
        if (aside[i] >= 0) close(aside[i]);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int csandbox_wait_for_end(pid_t process, int milliseconds) {
    int handle = (int)syscall(SYS_pidfd_open, process, 0);
    if (handle < 0) return errno;
    struct pollfd end = {.fd = handle, .events = POLLIN};
    int ready;
    do {
        ready = poll(&end, 1, milliseconds);
    } while (ready < 0 && errno == EINTR);
    int error = errno;
    close(handle);
    if (ready < 0) return error;
    return ready == 0 ? ETIMEDOUT : 0;
}

int csandbox_reap(pid_t process, int *status) {
    pid_t ended;
    do {
        ended = waitpid(process, status, 0);
    } while (ended < 0 && errno == EINTR);
    return ended == process ? 0 : errno;
}

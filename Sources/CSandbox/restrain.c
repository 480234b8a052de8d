#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/// linux/ioprio.h, which old kernel headers lack: the lowest of the ordinary class.
enum { ioprio_who_process = 1, ioprio_best_effort_lowest = 2 << 13 | 7 };

static int limit(int resource, uint64_t value) {
    struct rlimit both = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(resource, &both) == 0 ? 0 : errno;
}

/// An agent that root runs hands none of root's powers on; the others have none to lose.
static int drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}, {0}};
    return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

int csandbox_restrain(const struct csandbox_limits *limits, pid_t parent) {
    // Politeness is a favour, not a right that could be missing.
    setpriority(PRIO_PROCESS, 0, 19);
    syscall(SYS_ioprio_set, ioprio_who_process, 0, ioprio_best_effort_lowest);
    struct sched_param unused = {.sched_priority = 0};
    if (limits->is_idle) sched_setscheduler(0, SCHED_IDLE, &unused);

    int dropped = drop_capabilities();
    if (dropped) return dropped;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    // The parent may have died before the call.
    if (getppid() != parent) return ESRCH;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;

    int error = limit(RLIMIT_CORE, 0);
    if (!error) error = limit(RLIMIT_DATA, limits->memory);
    if (!error) error = limit(RLIMIT_AS, 4 * limits->memory);
    if (!error) error = limit(RLIMIT_FSIZE, limits->written);
    if (!error) error = limit(RLIMIT_NOFILE, limits->descriptors);
    if (!error && limits->processor_seconds > 0) error = limit(RLIMIT_CPU, limits->processor_seconds);
    return error;
}

int csandbox_allow_processor_time(unsigned seconds) {
    struct itimerval time = {.it_value = {.tv_sec = seconds}};
    return setitimer(ITIMER_PROF, &time, NULL) == 0 ? 0 : errno;
}

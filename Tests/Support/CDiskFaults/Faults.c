#define _GNU_SOURCE
#include "Faults.h"
#include "CDiskFaults.h"
#include "Strikes.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Which calls count for the chosen kind, and which error they return; 0 where the process dies.
struct kind {
    const char *name;
    int classes;
    int error;
};

static const struct kind kinds[] = {
    {"kill", CALL_CHANGES, 0},
    {"tear", CALL_WRITES, 0},
    {"ENOSPC", CALL_FILLS, ENOSPC},
    {"EIO", CALL_OPENS | CALL_READS | CALL_CHANGES, EIO},
    {"EROFS", CALL_CHANGES, EROFS},
    {"EMFILE", CALL_OPENS, EMFILE},
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static char report[PATH_MAX];
static char ignored[PATH_MAX];
static const struct kind *kind;
static uint64_t count, chosen;
static bool lasts, healed, waits;

void faults_report(const char *word, const char *call, const char *path) {
    char line[2 * PATH_MAX];
    int length = snprintf(line, sizeof line, "%s %s %s\n", word, call, path);
    int file = syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    syscall(SYS_write, file, line, (size_t)length);
    syscall(SYS_close, file);
}

static void copy_setting(const char *name, char into[PATH_MAX]) {
    const char *value = getenv(name);
    snprintf(into, PATH_MAX, "%s", value ? value : "");
}

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("DISK_FAULTS_KIND"), *at = getenv("DISK_FAULTS_AT");
    const char *seconds = getenv("DISK_FAULTS_SECONDS");
    copy_setting("DISK_FAULTS_REPORT", report);
    copy_setting("DISK_FAULTS_IGNORES", ignored);
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, name) == 0) kind = &kinds[i];
    }
    chosen = at ? strtoull(at, NULL, 10) : 0;
    lasts = getenv("DISK_FAULTS_LASTS") != NULL;
    waits = getenv("DISK_FAULTS_WAITS") != NULL;
    if (seconds) alarm((unsigned)atoi(seconds));
    copy_setting("DISK_FAULTS_ROOT", root);
    if (kind && *root) undo_start(root, getenv("DISK_FAULTS_LOSES"));
    strikes_start(getenv("DISK_FAULTS_CONTROL"));
}

__attribute__((destructor)) static void end(void) {
    if (!faults_active()) return;
    faults_enter();
    undo_run();
    faults_leave();
}

void disk_faults_begin(void) {
    faults_enter();
    waits = false;
    faults_leave();
}

void disk_faults_heal(void) {
    faults_enter();
    healed = true;
    faults_leave();
}

void faults_enter(void) { pthread_mutex_lock(&lock); }

void faults_leave(void) { pthread_mutex_unlock(&lock); }

bool faults_active(void) { return kind && *root; }

static bool is_below_root(const char *path) {
    size_t length = strlen(root);
    return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

bool faults_name(int descriptor, char absolute[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, absolute, PATH_MAX - 1);
    if (length < 0) return false;
    absolute[length] = 0;
    // What has no slash is a socket or a pipe.
    return *absolute == '/';
}

bool faults_absolute(int directory, const char *path, char absolute[PATH_MAX]) {
    if (!path) return false;
    // A path that is too long for this is too long for the kernel.
    if (*path == '/') return snprintf(absolute, PATH_MAX, "%s", path) < PATH_MAX;
    char base[PATH_MAX];
    if (directory == AT_FDCWD) {
        if (syscall(SYS_getcwd, base, sizeof base) < 0) return false;
    } else if (!faults_name(directory, base)) {
        return false;
    }
    // An empty path stands for the descriptor itself.
    if (!*path) return snprintf(absolute, PATH_MAX, "%s", base) < PATH_MAX;
    return snprintf(absolute, PATH_MAX, "%s/%s", base, path) < PATH_MAX;
}

bool faults_concerns_descriptor(int descriptor, char absolute[PATH_MAX]) {
    return faults_active() && faults_name(descriptor, absolute) && is_below_root(absolute);
}

bool faults_concerns(int directory, const char *path, char absolute[PATH_MAX]) {
    return faults_active() && faults_absolute(directory, path, absolute) && is_below_root(absolute);
}

bool faults_ignores_sync(const char *path) { return *ignored && strstr(path, ignored); }

int faults_look(int descriptor, struct stat *info) { return (int)syscall(SYS_fstat, descriptor, info); }

enum verdict faults_judge(const char *call, const char *path, int classes) {
    if (waits || (classes & kind->classes) == 0) return VERDICT_PASS;
    count++;
    bool is_chosen = count == chosen;
    if (is_chosen) faults_report("hit", call, path);
    if (chosen == 0) faults_report("call", call, path);
    if (kind->error) {
        bool fails = is_chosen || (lasts && chosen && count > chosen && !healed);
        if (fails) errno = kind->error;
        return fails ? VERDICT_FAIL : VERDICT_PASS;
    }
    if (!is_chosen) return VERDICT_PASS;
    if (strcmp(kind->name, "tear") == 0) return VERDICT_TEAR;
    faults_die();
}

void faults_die(void) {
    undo_run();
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

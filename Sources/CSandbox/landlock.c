#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// linux/landlock.h as of interface 7; the headers of a distribution may be older than the kernel that runs.

struct ruleset {
    uint64_t handled_files;
    uint64_t handled_network;
    uint64_t scoped;
};

struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

enum { rule_path_beneath = 1, ask_for_version = 1 };

enum {
    may_execute = 1 << 0,
    may_write_file = 1 << 1,
    may_read_file = 1 << 2,
    may_read_folder = 1 << 3,
    all_of_version_1 = (1 << 13) - 1,
    may_refer = 1 << 13,
    may_truncate = 1 << 14,
    may_control_devices = 1 << 15,
    bind_and_connect = 3,
    abstract_sockets_and_signals = 3,
};

int csandbox_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, ask_for_version);
    return version > 0 ? (int)version : 0;
}

static int allow(int ruleset, int file, uint64_t rights) {
    struct path_rule rule = {.allowed = rights, .parent = file};
    return syscall(SYS_landlock_add_rule, ruleset, rule_path_beneath, &rule, 0) == 0 ? 0 : errno;
}

/// A file in memory lies below no folder: no rule can name it, and none is needed.
static int allow_file(int ruleset, int file, uint64_t rights) {
    int error = file < 0 ? 0 : allow(ruleset, file, rights);
    return error == EBADFD ? 0 : error;
}

static int allow_folder(int ruleset, const char *path) {
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return 0;
    struct stat status;
    int error = fstat(file, &status) == 0 ? 0 : errno;
    uint64_t rights = may_execute | may_read_file;
    if (!error && S_ISDIR(status.st_mode)) rights |= may_read_folder;
    if (!error) error = allow(ruleset, file, rights);
    close(file);
    return error;
}

int csandbox_close_files(const char *const *folders, int readable, int writable) {
    int version = csandbox_landlock_version();
    if (version == 0) return ENOSYS;
    struct ruleset rules = {.handled_files = all_of_version_1};
    if (version >= 2) rules.handled_files |= may_refer;
    if (version >= 3) rules.handled_files |= may_truncate;
    if (version >= 4) rules.handled_network = bind_and_connect;
    if (version >= 5) rules.handled_files |= may_control_devices;
    if (version >= 6) rules.scoped = abstract_sockets_and_signals;

    // A kernel refuses fields that it does not know unless they are zero, which they are.
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (ruleset < 0) return errno;
    int error = 0;
    for (; *folders && !error; folders++) error = allow_folder(ruleset, *folders);
    if (!error) error = allow_file(ruleset, readable, may_read_file);
    if (!error) error = allow_file(ruleset, writable, may_read_file | may_write_file);
    if (!error && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) error = errno;
    close(ruleset);
    return error;
}

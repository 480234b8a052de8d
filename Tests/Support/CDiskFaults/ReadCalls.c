#define _GNU_SOURCE
#include "Faults.h"
#include "Strikes.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Calls that only read and that only the control file strikes: they have no number.

#define ALIAS(name) __attribute__((alias(#name)))

/// `real` is the C library's own function, which does more than a system call.
#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) { \
        int saved = errno; \
        real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        errno = saved; \
    }

// MARK: Directories

DIR *fdopendir(int descriptor) {
    REAL(fdopendir)
    return strikes_opened(real(descriptor));
}

int closedir(DIR *directory) {
    REAL(closedir)
    // Before, since another thread may be given the same address at once.
    strikes_closed(directory);
    return real(directory);
}

void rewinddir(DIR *directory) {
    REAL(rewinddir)
    strikes_rewound(directory);
    real(directory);
}

struct dirent *readdir(DIR *directory) {
    REAL(readdir)
    if (strikes_entry(directory)) return NULL;
    struct dirent *entry = real(directory);
    if (entry) strikes_passed(directory, entry->d_name);
    return entry;
}

struct dirent64 *readdir64(DIR *directory) {
    REAL(readdir64)
    if (strikes_entry(directory)) return NULL;
    struct dirent64 *entry = real(directory);
    if (entry) strikes_passed(directory, entry->d_name);
    return entry;
}

// MARK: Files

int fstat(int descriptor, struct stat *info) {
    if (strikes_descriptor(STRIKE_STAT, descriptor)) return -1;
    return faults_look(descriptor, info);
}

int fstat64(int descriptor, struct stat64 *info) ALIAS(fstat);

int statx(int directory, const char *path, int flags, unsigned mask, struct statx *info) {
    if (strikes_path(STRIKE_STAT, directory, path)) return -1;
    return (int)syscall(SYS_statx, directory, path, flags, mask, info);
}

int access(const char *path, int mode) {
    if (strikes_path(STRIKE_ACCESS, AT_FDCWD, path)) return -1;
    return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

int faccessat(int directory, const char *path, int mode, int flags) {
    REAL(faccessat)
    if (strikes_path(STRIKE_ACCESS, directory, path)) return -1;
    return real(directory, path, mode, flags);
}

ssize_t readv(int descriptor, const struct iovec *parts, int count) {
    if (strikes_descriptor(STRIKE_READ, descriptor)) return -1;
    return syscall(SYS_readv, descriptor, parts, count);
}

ssize_t preadv(int descriptor, const struct iovec *parts, int count, off_t offset) {
    REAL(preadv)
    if (strikes_descriptor(STRIKE_READ, descriptor)) return -1;
    return real(descriptor, parts, count, offset);
}

ssize_t preadv64(int descriptor, const struct iovec *parts, int count, off64_t offset) ALIAS(preadv);

#define _GNU_SOURCE
#include "Faults.h"
#include "Strikes.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Each stands in for the C library's function of its name, in the program and in the libraries that it uses.
// An attribute gives the 64 variants the same code: where off_t has 64 bits, they are one.

#define ALIAS(name) __attribute__((alias(#name)))

// MARK: Names

static bool is_there(const char *path) { return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0; }

static int open_at(int directory, const char *path, int flags, mode_t mode) {
    char absolute[PATH_MAX];
    if (strikes_path(STRIKE_OPEN, directory, path)) return -1;
    if (!faults_concerns(directory, path, absolute)) {
        return (int)syscall(SYS_openat, directory, path, flags, mode);
    }
    faults_enter();
    bool makes = (flags & O_CREAT) && !is_there(absolute);
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    int classes = CALL_OPENS | CALL_READS | (makes ? CALL_CHANGES | CALL_FILLS : 0);
    int result = -1;
    if (faults_judge("open", absolute, classes | (writes && (flags & O_TRUNC) ? CALL_CHANGES : 0)) == VERDICT_PASS) {
        if (makes) undo_note_made(absolute, false);
        if (writes && (flags & O_TRUNC) && !makes) {
            int file = (int)syscall(SYS_openat, AT_FDCWD, absolute, O_RDWR | O_CLOEXEC);
            if (file >= 0) {
                undo_note_size(file, 0);
                syscall(SYS_close, file);
            }
        }
        result = (int)syscall(SYS_openat, directory, path, flags, mode);
    }
    faults_leave();
    return result;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_at(directory, path, flags, mode);
}

int open64(const char *path, int flags, ...) ALIAS(open);
int openat64(int directory, const char *path, int flags, ...) ALIAS(openat);
int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) ALIAS(__open_2);

int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) ALIAS(creat);

DIR *opendir(const char *path) {
    // The C library's own function does more than a system call.
    static DIR *(*real)(const char *);
    if (!real) real = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
    char absolute[PATH_MAX];
    if (strikes_path(STRIKE_OPEN, AT_FDCWD, path)) return NULL;
    if (!faults_concerns(AT_FDCWD, path, absolute)) return strikes_opened(real(path));
    faults_enter();
    DIR *result = NULL;
    if (faults_judge("opendir", absolute, CALL_OPENS | CALL_READS) == VERDICT_PASS) result = real(path);
    faults_leave();
    return strikes_opened(result);
}

static int make_directory(int directory, const char *path, mode_t mode) {
    char absolute[PATH_MAX];
    if (!faults_concerns(directory, path, absolute)) return (int)syscall(SYS_mkdirat, directory, path, mode);
    faults_enter();
    int result = -1;
    bool makes = !is_there(absolute);
    if (!makes || faults_judge("mkdir", absolute, CALL_CHANGES | CALL_FILLS) == VERDICT_PASS) {
        result = (int)syscall(SYS_mkdirat, directory, path, mode);
        if (result == 0 && makes) undo_note_made(absolute, true);
    }
    faults_leave();
    return result;
}

int mkdir(const char *path, mode_t mode) { return make_directory(AT_FDCWD, path, mode); }
int mkdirat(int directory, const char *path, mode_t mode) { return make_directory(directory, path, mode); }

static int unlink_at(int directory, const char *path, int flags) {
    char absolute[PATH_MAX];
    // What is not there cannot be removed: no change, no point.
    if (!faults_concerns(directory, path, absolute) || !is_there(absolute)) {
        return (int)syscall(SYS_unlinkat, directory, path, flags);
    }
    faults_enter();
    int result = -1;
    if (faults_judge("unlink", absolute, CALL_CHANGES) == VERDICT_PASS) {
        undo_note_unlink(absolute, flags & AT_REMOVEDIR);
        result = (int)syscall(SYS_unlinkat, directory, path, flags);
    }
    faults_leave();
    return result;
}

int unlink(const char *path) { return unlink_at(AT_FDCWD, path, 0); }
int unlinkat(int directory, const char *path, int flags) { return unlink_at(directory, path, flags); }
int rmdir(const char *path) { return unlink_at(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
    int result = unlink(path);
    return result != 0 && errno == EISDIR ? rmdir(path) : result;
}

static int rename_at(int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
    char source[PATH_MAX], target[PATH_MAX];
    bool concerns = faults_concerns(from_directory, from, source);
    if (!(faults_concerns(to_directory, to, target) || concerns)) {
        return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
    }
    faults_enter();
    int result = -1;
    if (faults_judge("rename", target, CALL_CHANGES | CALL_FILLS) == VERDICT_PASS) {
        if (is_there(source) && !((flags & RENAME_NOREPLACE) && is_there(target))) undo_note_rename(source, target);
        result = (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
    }
    faults_leave();
    return result;
}

int rename(const char *from, const char *to) { return rename_at(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_directory, const char *from, int to_directory, const char *to) {
    return rename_at(from_directory, from, to_directory, to, 0);
}
int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
    return rename_at(from_directory, from, to_directory, to, flags);
}

static int link_at(int from_directory, const char *from, int to_directory, const char *to, int flags) {
    char target[PATH_MAX];
    if (!faults_concerns(to_directory, to, target)) {
        return (int)syscall(SYS_linkat, from_directory, from, to_directory, to, flags);
    }
    faults_enter();
    int result = -1;
    if (faults_judge("link", target, CALL_CHANGES | CALL_FILLS) == VERDICT_PASS) {
        result = (int)syscall(SYS_linkat, from_directory, from, to_directory, to, flags);
        if (result == 0) undo_note_made(target, false);
    }
    faults_leave();
    return result;
}

int link(const char *from, const char *to) { return link_at(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags) {
    return link_at(from_directory, from, to_directory, to, flags);
}

int symlink(const char *text, const char *path) {
    char absolute[PATH_MAX];
    if (!faults_concerns(AT_FDCWD, path, absolute)) return (int)syscall(SYS_symlinkat, text, AT_FDCWD, path);
    faults_enter();
    int result = -1;
    if (faults_judge("symlink", absolute, CALL_CHANGES | CALL_FILLS) == VERDICT_PASS) {
        result = (int)syscall(SYS_symlinkat, text, AT_FDCWD, path);
        if (result == 0) undo_note_made(absolute, false);
    }
    faults_leave();
    return result;
}

static int look_at(int directory, const char *path, struct stat *info, int flags) {
    char absolute[PATH_MAX];
    if (strikes_path(STRIKE_STAT, directory, path)) return -1;
    if (!faults_concerns(directory, path, absolute)) {
        return (int)syscall(SYS_newfstatat, directory, path, info, flags);
    }
    faults_enter();
    int result = -1;
    if (faults_judge("stat", absolute, CALL_READS) == VERDICT_PASS) {
        result = (int)syscall(SYS_newfstatat, directory, path, info, flags);
    }
    faults_leave();
    return result;
}

int stat(const char *path, struct stat *info) { return look_at(AT_FDCWD, path, info, 0); }
int lstat(const char *path, struct stat *info) { return look_at(AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW); }
int fstatat(int directory, const char *path, struct stat *info, int flags) {
    return look_at(directory, path, info, flags);
}
int stat64(const char *path, struct stat64 *info) { return look_at(AT_FDCWD, path, (struct stat *)info, 0); }
int lstat64(const char *path, struct stat64 *info) {
    return look_at(AT_FDCWD, path, (struct stat *)info, AT_SYMLINK_NOFOLLOW);
}
int fstatat64(int directory, const char *path, struct stat64 *info, int flags) {
    return look_at(directory, path, (struct stat *)info, flags);
}

int chmod(const char *path, mode_t mode) {
    char absolute[PATH_MAX];
    if (!faults_concerns(AT_FDCWD, path, absolute) || !is_there(absolute)) {
        return (int)syscall(SYS_fchmodat, AT_FDCWD, path, mode);
    }
    faults_enter();
    int result = -1;
    if (faults_judge("chmod", absolute, CALL_CHANGES) == VERDICT_PASS) {
        result = (int)syscall(SYS_fchmodat, AT_FDCWD, path, mode);
    }
    faults_leave();
    return result;
}

int utimensat(int directory, const char *path, const struct timespec times[2], int flags) {
    char absolute[PATH_MAX];
    if (!faults_concerns(directory, path, absolute)) {
        return (int)syscall(SYS_utimensat, directory, path, times, flags);
    }
    faults_enter();
    int result = -1;
    if (faults_judge("utimensat", absolute, CALL_CHANGES) == VERDICT_PASS) {
        result = (int)syscall(SYS_utimensat, directory, path, times, flags);
    }
    faults_leave();
    return result;
}

// MARK: Open files

ssize_t read(int descriptor, void *buffer, size_t count) {
    char path[PATH_MAX];
    if (strikes_descriptor(STRIKE_READ, descriptor)) return -1;
    if (!faults_concerns_descriptor(descriptor, path)) return syscall(SYS_read, descriptor, buffer, count);
    faults_enter();
    ssize_t result = -1;
    if (faults_judge("read", path, CALL_READS) == VERDICT_PASS) result = syscall(SYS_read, descriptor, buffer, count);
    faults_leave();
    return result;
}

ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset) {
    char path[PATH_MAX];
    if (strikes_descriptor(STRIKE_READ, descriptor)) return -1;
    if (!faults_concerns_descriptor(descriptor, path)) {
        return syscall(SYS_pread64, descriptor, buffer, count, offset);
    }
    faults_enter();
    ssize_t result = -1;
    if (faults_judge("pread", path, CALL_READS) == VERDICT_PASS) {
        result = syscall(SYS_pread64, descriptor, buffer, count, offset);
    }
    faults_leave();
    return result;
}

ssize_t pread64(int descriptor, void *buffer, size_t count, off64_t offset) ALIAS(pread);

/// `offset` is -1 for where the descriptor stands.
static ssize_t write_at(const char *call, int descriptor, const void *buffer, size_t count, off_t offset) {
    char path[PATH_MAX];
    off_t at = offset;
    bool concerns = faults_concerns_descriptor(descriptor, path);
    if (concerns) {
        faults_enter();
        int flags = fcntl(descriptor, F_GETFL);
        if (offset < 0) at = syscall(SYS_lseek, descriptor, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
        enum verdict verdict = faults_judge(call, path, CALL_CHANGES | CALL_FILLS | CALL_WRITES);
        if (verdict == VERDICT_FAIL) {
            faults_leave();
            return -1;
        }
        undo_note_bytes(descriptor, at, count);
        if (verdict == VERDICT_TEAR) {
            syscall(SYS_pwrite64, descriptor, buffer, count / 2, at);
            faults_die();
        }
    }
    ssize_t result = offset < 0 ? syscall(SYS_write, descriptor, buffer, count)
                                : syscall(SYS_pwrite64, descriptor, buffer, count, offset);
    if (concerns) faults_leave();
    return result;
}

ssize_t write(int descriptor, const void *buffer, size_t count) {
    return write_at("write", descriptor, buffer, count, -1);
}
ssize_t pwrite(int descriptor, const void *buffer, size_t count, off_t offset) {
    return write_at("pwrite", descriptor, buffer, count, offset);
}
ssize_t pwrite64(int descriptor, const void *buffer, size_t count, off64_t offset) ALIAS(pwrite);

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    char path[PATH_MAX];
    if (!faults_concerns_descriptor(descriptor, path)) return syscall(SYS_writev, descriptor, parts, count);
    // A write may always be short: the first part that has bytes is enough.
    for (int i = 0; i < count; i++) {
        if (parts[i].iov_len) return write_at("writev", descriptor, parts[i].iov_base, parts[i].iov_len, -1);
    }
    return 0;
}

int ftruncate(int descriptor, off_t size) {
    char path[PATH_MAX];
    if (!faults_concerns_descriptor(descriptor, path)) return (int)syscall(SYS_ftruncate, descriptor, size);
    faults_enter();
    int result = -1;
    if (faults_judge("ftruncate", path, CALL_CHANGES | CALL_FILLS) == VERDICT_PASS) {
        undo_note_size(descriptor, size);
        result = (int)syscall(SYS_ftruncate, descriptor, size);
    }
    faults_leave();
    return result;
}

int ftruncate64(int descriptor, off64_t size) ALIAS(ftruncate);

/// The C library's own may write zeros instead; this way no call escapes the count.
int posix_fallocate(int descriptor, off_t offset, off_t count) {
    char path[PATH_MAX];
    if (!faults_concerns_descriptor(descriptor, path)) {
        return syscall(SYS_fallocate, descriptor, 0, offset, count) == 0 ? 0 : errno;
    }
    faults_enter();
    int result = EIO;
    if (faults_judge("fallocate", path, CALL_CHANGES | CALL_FILLS) == VERDICT_PASS) {
        undo_note_size(descriptor, offset + count);
        result = syscall(SYS_fallocate, descriptor, 0, offset, count) == 0 ? 0 : errno;
    } else {
        result = errno;
    }
    faults_leave();
    return result;
}

static int synchronize(const char *call, long number, int descriptor) {
    char path[PATH_MAX];
    if (!faults_concerns_descriptor(descriptor, path)) return (int)syscall(number, descriptor);
    faults_enter();
    int result = -1;
    if (faults_judge(call, path, CALL_CHANGES | CALL_FILLS) == VERDICT_PASS) {
        result = (int)syscall(number, descriptor);
        bool counts = result == 0 && !faults_ignores_sync(path);
        if (counts && number == SYS_syncfs) undo_synced_all();
        if (counts) undo_synced(descriptor, true);
    } else {
        int reason = errno;
        undo_synced(descriptor, false);
        errno = reason;
    }
    faults_leave();
    return result;
}

int fsync(int descriptor) { return synchronize("fsync", SYS_fsync, descriptor); }
int fdatasync(int descriptor) { return synchronize("fdatasync", SYS_fdatasync, descriptor); }
int syncfs(int descriptor) { return synchronize("syncfs", SYS_syncfs, descriptor); }

int fchmod(int descriptor, mode_t mode) {
    char path[PATH_MAX];
    if (!faults_concerns_descriptor(descriptor, path)) return (int)syscall(SYS_fchmod, descriptor, mode);
    faults_enter();
    int result = -1;
    if (faults_judge("fchmod", path, CALL_CHANGES) == VERDICT_PASS) {
        result = (int)syscall(SYS_fchmod, descriptor, mode);
    }
    faults_leave();
    return result;
}

int futimens(int descriptor, const struct timespec times[2]) {
    char path[PATH_MAX];
    if (!faults_concerns_descriptor(descriptor, path)) {
        return (int)syscall(SYS_utimensat, descriptor, NULL, times, 0);
    }
    faults_enter();
    int result = -1;
    if (faults_judge("futimens", path, CALL_CHANGES) == VERDICT_PASS) {
        result = (int)syscall(SYS_utimensat, descriptor, NULL, times, 0);
    }
    faults_leave();
    return result;
}

// MARK: What would pass by

int ioctl(int descriptor, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    char path[PATH_MAX];
    bool clones = request == FICLONE || request == FICLONERANGE;
    if (clones && faults_concerns_descriptor(descriptor, path)) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_ioctl, descriptor, request, argument);
}

ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t count, unsigned flags) {
    char path[PATH_MAX];
    if (faults_concerns_descriptor(to, path)) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return syscall(SYS_copy_file_range, from, from_offset, to, to_offset, count, flags);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
    char path[PATH_MAX];
    if (faults_concerns_descriptor(to, path)) {
        errno = EINVAL;
        return -1;
    }
    return syscall(SYS_sendfile, to, from, offset, count);
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t count) ALIAS(sendfile);

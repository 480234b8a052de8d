#define _GNU_SOURCE
#include "CFileOps.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/msdos_fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cfileops_clone(int destination, int source) {
    return ioctl(destination, FICLONE, source) == 0 ? 0 : errno;
}

int cfileops_rename_no_replace(const char *from, const char *to) {
    return cfileops_rename_no_replace_at(AT_FDCWD, from, AT_FDCWD, to);
}

int cfileops_rename_no_replace_at(int from_directory, const char *from, int to_directory, const char *to) {
    return renameat2(from_directory, from, to_directory, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int cfileops_take_read_lease(int descriptor) {
    return fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0 ? 0 : errno;
}

int cfileops_release_lease(int descriptor) {
    return fcntl(descriptor, F_SETLEASE, F_UNLCK) == 0 ? 0 : errno;
}

int cfileops_try_lock(int descriptor) {
    int status;
    do {
        status = flock(descriptor, LOCK_EX | LOCK_NB);
    } while (status != 0 && errno == EINTR);
    return status == 0 ? 0 : errno;
}

int cfileops_start_writeback(int descriptor, int64_t offset, int64_t byte_count) {
    return sync_file_range(descriptor, offset, byte_count, SYNC_FILE_RANGE_WRITE) == 0 ? 0 : errno;
}

int cfileops_sync_file_system(int descriptor) {
    return syncfs(descriptor) == 0 ? 0 : errno;
}

int cfileops_fat_serial(int descriptor, uint32_t *serial) {
    return ioctl(descriptor, FAT_IOCTL_GET_VOLUME_ID, serial) == 0 ? 0 : errno;
}

int cfileops_next_entry(DIR *directory, struct cfileops_entry *entry) {
    *entry = (struct cfileops_entry){0};
    const struct dirent *record;
    do {
        errno = 0;
        record = readdir(directory);
    } while (!record && errno == EINTR);
    if (record) {
        size_t start = offsetof(struct dirent, d_name);
        entry->name = (const char *)record + start;
        entry->name_byte_count = strnlen(entry->name, record->d_reclen - start);
        entry->type = record->d_type;
        return 0;
    }
    if (errno) return errno;
    char rest[1024];
    return getdents64(dirfd(directory), rest, sizeof rest) < 0 && errno == ENOENT ? errno : 0;
}

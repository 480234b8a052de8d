#ifndef CFILEOPS_H
#define CFILEOPS_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>

// Linux calls that Swift's Glibc module leaves out, because they are variadic, newer or behind _GNU_SOURCE.
// Each returns 0, or the errno that says why not. All block.

/// Makes `destination` (empty, writable) share the bytes of `source`: ioctl FICLONE.
/// EOPNOTSUPP, EXDEV, EINVAL, ENOTTY: this file system, or this pair of them, cannot.
int cfileops_clone(int destination, int source);

/// Renames without ever replacing: renameat2 RENAME_NOREPLACE. EEXIST: `to` exists. EINVAL, ENOSYS: cannot here.
int cfileops_rename_no_replace(const char *from, const char *to);

/// The same, with names below two open directories.
int cfileops_rename_no_replace_at(int from_directory, const char *from, int to_directory, const char *to);

/// Takes a read lease (F_SETLEASE), which fails with EAGAIN while anybody has the file open for writing.
/// `descriptor` must be open for reading only. EACCES, EINVAL: no leases on this file or file system.
int cfileops_take_read_lease(int descriptor);

/// Gives a lease back. While one is held, the kernel sends SIGIO to this process when somebody opens the file to write,
/// whose default action ends the process: a program that takes leases must ignore SIGIO.
int cfileops_release_lease(int descriptor);

/// Takes an exclusive flock without waiting. EWOULDBLOCK: another open file has it.
int cfileops_try_lock(int descriptor);

/// Begins to write dirty pages of the range to the disk, without waiting for it: sync_file_range. A hint, no promise.
int cfileops_start_writeback(int descriptor, int64_t offset, int64_t byte_count);

/// Writes all that is in memory of the file system of `descriptor` to its disk: syncfs. Errors of earlier writes show.
int cfileops_sync_file_system(int descriptor);

/// Gets the serial number of the FAT volume that a file or directory is on: ioctl FAT_IOCTL_GET_VOLUME_ID.
/// ENOTTY and others: another file system.
int cfileops_fat_serial(int descriptor, uint32_t *serial);

/// One entry of a directory. `name` belongs to the stream until its next call; NULL: there are no more entries.
struct cfileops_entry {
    const char *name;
    size_t name_byte_count;
    /// DT_DIR and its like.
    unsigned char type;
};

/// Reads a directory's next entry, in place: the record is shorter than `struct dirent`, and what lies behind the last
/// one of a buffer may not be mapped. At the end it asks the kernel once more, because readdir takes ENOENT for the end.
int cfileops_next_entry(DIR *directory, struct cfileops_entry *entry);

#endif

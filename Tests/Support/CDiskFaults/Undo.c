#define _GNU_SOURCE
#include "Faults.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096 };

enum what { PAGE_WRITTEN, SIZE_CHANGED, FILE_MADE, DIRECTORY_MADE, FILE_UNLINKED, DIRECTORY_REMOVED, RENAMED };

// One change that is not durable yet.
struct change {
    enum what what;
    // Syncing this file, or this directory, makes it durable.
    dev_t device;
    ino_t inode;
    // Of a failed sync: lost whatever is synced later, unless the page is written again.
    bool is_doomed;
    // PAGE_WRITTEN, SIZE_CHANGED: a descriptor of our own, since the name may go. Else -1.
    int file;
    off_t offset;
    char *bytes;
    size_t count;
    // Names: which one, what a rename called it, and under which number the attic keeps what had it before.
    char *path, *other;
    int kept;
};

static struct change *changes;
static size_t change_count, change_room;
static bool loses_data, loses_names;
static char attic[PATH_MAX];
static int attic_count;

void undo_start(const char *root, const char *loses) {
    loses_data = loses && strstr(loses, "data");
    loses_names = loses && strstr(loses, "names");
    snprintf(attic, sizeof attic, "%.4000s.attic", root);
    if (loses_names) syscall(SYS_mkdirat, AT_FDCWD, attic, 0700);
}

static struct change *add(enum what what) {
    if (change_count == change_room) {
        change_room = change_room ? 2 * change_room : 64;
        changes = realloc(changes, change_room * sizeof *changes);
    }
    struct change *change = &changes[change_count++];
    *change = (struct change){.what = what, .file = -1, .kept = -1};
    return change;
}

static void forget(struct change *change) {
    if (change->file >= 0) syscall(SYS_close, change->file);
    free(change->bytes);
    free(change->path);
    free(change->other);
}

/// Forgets those that `is_durable` says so of, and keeps the others' order.
static void sweep(bool (*is_durable)(const struct change *, const struct stat *), const struct stat *synced) {
    size_t kept = 0;
    for (size_t i = 0; i < change_count; i++) {
        if (is_durable(&changes[i], synced)) {
            forget(&changes[i]);
        } else {
            changes[kept++] = changes[i];
        }
    }
    change_count = kept;
}

// MARK: Bytes

/// Through /proc, since the program's own descriptor may be write-only.
static int reopen(int descriptor) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    // Nothing of what the program may do depends on it, so it is moved out of its way.
    int file = syscall(SYS_openat, AT_FDCWD, link, O_RDWR | O_CLOEXEC);
    if (file < 0) return file;
    int high = fcntl(file, F_DUPFD_CLOEXEC, 200);
    syscall(SYS_close, file);
    return high;
}

static void note_page(int descriptor, const struct stat *info, off_t offset) {
    for (size_t i = 0; i < change_count; i++) {
        struct change *old = &changes[i];
        if (old->what != PAGE_WRITTEN || old->inode != info->st_ino || old->device != info->st_dev) continue;
        if (old->offset != offset) continue;
        // It is dirty again, all of it; and what it was before is known already.
        old->is_doomed = false;
        return;
    }
    int file = reopen(descriptor);
    if (file < 0) return;
    struct change *change = add(PAGE_WRITTEN);
    change->device = info->st_dev;
    change->inode = info->st_ino;
    change->file = file;
    change->offset = offset;
    if (offset >= info->st_size) return;
    change->bytes = malloc(PAGE);
    ssize_t count = syscall(SYS_pread64, file, change->bytes, (size_t)PAGE, offset);
    change->count = count < 0 ? 0 : (size_t)count;
}

void undo_note_size(int descriptor, off_t size) {
    struct stat info;
    if (!loses_data || faults_look(descriptor, &info) != 0 || size == info.st_size) return;
    for (off_t page = size / PAGE * PAGE; page < info.st_size; page += PAGE) note_page(descriptor, &info, page);
    int file = reopen(descriptor);
    if (file < 0) return;
    struct change *change = add(SIZE_CHANGED);
    change->device = info.st_dev;
    change->inode = info.st_ino;
    change->file = file;
    change->offset = info.st_size;
}

void undo_note_bytes(int descriptor, off_t offset, size_t count) {
    struct stat info;
    if (!loses_data || count == 0 || faults_look(descriptor, &info) != 0) return;
    if (offset + (off_t)count > info.st_size) undo_note_size(descriptor, offset + (off_t)count);
    for (off_t page = offset / PAGE * PAGE; page < offset + (off_t)count; page += PAGE) {
        note_page(descriptor, &info, page);
    }
}

// MARK: Names

/// Which directory a path's name is in.
static void set_directory(struct change *change, const char *path) {
    char directory[PATH_MAX];
    snprintf(directory, sizeof directory, "%s", path);
    char *slash = strrchr(directory, '/');
    if (slash) *slash = 0;
    struct stat info;
    if (syscall(SYS_newfstatat, AT_FDCWD, directory, &info, 0) != 0) return;
    change->device = info.st_dev;
    change->inode = info.st_ino;
}

static void kept_path(int number, char path[PATH_MAX]) { snprintf(path, PATH_MAX, "%.4000s/%d", attic, number); }

/// Gives a file another name, so that it outlives the one it loses; its number, or -1 where there is no such file.
static int keep(const char *path) {
    char other[PATH_MAX];
    kept_path(attic_count, other);
    return syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, other, 0) == 0 ? attic_count++ : -1;
}

void undo_note_made(const char *path, bool is_directory) {
    if (!loses_names) return;
    struct change *change = add(is_directory ? DIRECTORY_MADE : FILE_MADE);
    change->path = strdup(path);
    set_directory(change, path);
}

void undo_note_unlink(const char *path, bool is_directory) {
    if (!loses_names) return;
    struct change *change = add(is_directory ? DIRECTORY_REMOVED : FILE_UNLINKED);
    change->path = strdup(path);
    change->kept = is_directory ? -1 : keep(path);
    set_directory(change, path);
}

void undo_note_rename(const char *from, const char *to) {
    if (!loses_names) return;
    struct change *change = add(RENAMED);
    change->path = strdup(to);
    change->other = strdup(from);
    change->kept = keep(to);
    // A rename is in both directories or in neither: with the new name's it is durable.
    set_directory(change, to);
}

// MARK: Syncs

static bool is_synced(const struct change *change, const struct stat *info) {
    return !change->is_doomed && change->inode == info->st_ino && change->device == info->st_dev;
}

static bool is_any(const struct change *change, const struct stat *info) {
    (void)info;
    return !change->is_doomed;
}

void undo_synced(int descriptor, bool succeeded) {
    struct stat info;
    if (faults_look(descriptor, &info) != 0) return;
    if (succeeded) return sweep(is_synced, &info);
    for (size_t i = 0; i < change_count; i++) {
        if (changes[i].what == PAGE_WRITTEN && is_synced(&changes[i], &info)) changes[i].is_doomed = true;
    }
}

void undo_synced_all(void) { sweep(is_any, NULL); }

static void put_back(const struct change *change) {
    char kept[PATH_MAX];
    kept_path(change->kept, kept);
    if (change->kept >= 0) syscall(SYS_renameat2, AT_FDCWD, kept, AT_FDCWD, change->path, 0);
}

static void take_back(const struct change *change) {
    char page[PAGE] = {0};
    struct stat info;
    switch (change->what) {
    case PAGE_WRITTEN:
        if (faults_look(change->file, &info) != 0 || info.st_size <= change->offset) return;
        if (change->count) memcpy(page, change->bytes, change->count);
        off_t rest = info.st_size - change->offset;
        syscall(SYS_pwrite64, change->file, page, (size_t)(rest < PAGE ? rest : PAGE), change->offset);
        return;
    case SIZE_CHANGED: syscall(SYS_ftruncate, change->file, change->offset); return;
    case FILE_MADE: syscall(SYS_unlinkat, AT_FDCWD, change->path, 0); return;
    case DIRECTORY_MADE: syscall(SYS_unlinkat, AT_FDCWD, change->path, AT_REMOVEDIR); return;
    case DIRECTORY_REMOVED: syscall(SYS_mkdirat, AT_FDCWD, change->path, 0700); return;
    case FILE_UNLINKED: put_back(change); return;
    case RENAMED:
        syscall(SYS_renameat2, AT_FDCWD, change->path, AT_FDCWD, change->other, 0);
        put_back(change);
        return;
    }
}

void undo_run(void) {
    for (size_t i = change_count; i > 0; i--) take_back(&changes[i - 1]);
    change_count = 0;
    for (int number = 0; number < attic_count; number++) {
        char kept[PATH_MAX];
        kept_path(number, kept);
        syscall(SYS_unlinkat, AT_FDCWD, kept, 0);
    }
    if (loses_names) syscall(SYS_unlinkat, AT_FDCWD, attic, AT_REMOVEDIR);
}

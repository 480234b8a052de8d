#ifndef FAULTS_H
#define FAULTS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

// What a call does, by which a fault chooses its calls.
enum {
    CALL_OPENS = 1,    // takes a descriptor
    CALL_READS = 2,    // needs the disk to be readable
    CALL_CHANGES = 4,  // changes what is on the disk, or makes it durable
    CALL_FILLS = 8,    // may need more room on the disk
    CALL_WRITES = 16,  // writes bytes, half of which may arrive
};

// What is to be done with a call.
enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_TEAR };

/// Takes the lock that one call at a time has.
void faults_enter(void);
void faults_leave(void);
/// Whether there is anything to do at all.
bool faults_active(void);
/// The absolute form of a path; false where there is none. `directory`: the descriptor that relative ones begin at.
bool faults_absolute(int directory, const char *path, char absolute[PATH_MAX]);
/// The name that an open file has now; false where it has none.
bool faults_name(int descriptor, char absolute[PATH_MAX]);
/// Whether a path is below the root, and its absolute form. `directory`: the descriptor that relative ones begin at.
bool faults_concerns(int directory, const char *path, char absolute[PATH_MAX]);
/// The same for an open file, by the name that it has now.
bool faults_concerns_descriptor(int descriptor, char absolute[PATH_MAX]);
/// Adds a line to the report: `word CALL PATH`.
void faults_report(const char *word, const char *call, const char *path);
/// Whether syncs of this path are to do nothing.
bool faults_ignores_sync(const char *path);
/// fstat, which must not come here again.
int faults_look(int descriptor, struct stat *info);
/// Counts a call, and judges it; does not return where the process is to die. VERDICT_FAIL: errno is set.
enum verdict faults_judge(const char *call, const char *path, int classes);
/// Ends the process as a kill does, after the power cut's work.
void faults_die(void) __attribute__((noreturn));

// What a power cut would take back. Each is called before the change, with the lock held.
void undo_start(const char *root, const char *loses);
void undo_note_bytes(int descriptor, off_t offset, size_t count);
void undo_note_size(int descriptor, off_t size);
void undo_note_made(const char *path, bool is_directory);
void undo_note_unlink(const char *path, bool is_directory);
void undo_note_rename(const char *from, const char *to);
void undo_synced(int descriptor, bool succeeded);
void undo_synced_all(void);
/// Takes back what is not durable, the last change first.
void undo_run(void);

#endif

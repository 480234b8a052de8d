#ifndef STRIKES_H
#define STRIKES_H

#include <dirent.h>
#include <stdbool.h>

// Errors that a file turns on and off while the program runs: see CDiskFaults.h. Each question leaves errno alone, unless
// the answer is yes: then it is the error.

enum strike_call { STRIKE_OPEN = 1, STRIKE_READDIR = 2, STRIKE_STAT = 4, STRIKE_READ = 8, STRIKE_ACCESS = 16 };

/// `control`: the file's path, or NULL for none.
void strikes_start(const char *control);
/// Whether a call on a path fails. `directory`: the descriptor that relative ones begin at.
bool strikes_path(enum strike_call call, int directory, const char *path);
/// The same for a call on an open file.
bool strikes_descriptor(enum strike_call call, int descriptor);

/// Notes an open directory, by the name that it has now; returns it. NULL passes through.
DIR *strikes_opened(DIR *directory);
void strikes_closed(DIR *directory);
void strikes_rewound(DIR *directory);
/// Whether the next entry cannot be read.
bool strikes_entry(DIR *directory);
/// An entry was handed out; `.` and `..` do not count.
void strikes_passed(DIR *directory, const char *name);

#endif

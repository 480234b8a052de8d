#ifndef CDISKFAULTS_H
#define CDISKFAULTS_H

// Makes one system call of a program fail, or the program or the machine die there. Loaded with LD_PRELOAD into a program
// that knows nothing of it, and steered by the environment:
//
//   DISK_FAULTS_ROOT    directory below which calls are looked at; without it all calls pass
//   DISK_FAULTS_KIND    kill, tear, ENOSPC, EIO, EROFS, EMFILE; which calls count, and what happens at the chosen one
//   DISK_FAULTS_AT      the chosen call, the first being 1; 0 strikes none and reports each
//   DISK_FAULTS_WAITS   where set, no call counts until `disk_faults_begin`; what a power cut would lose is noted before, too
//   DISK_FAULTS_LASTS   where set, an error stays from the chosen call on, until `disk_faults_heal`
//   DISK_FAULTS_LOSES   "data", "names" or "data,names": what a power cut takes back of what was not synced, when the
//                       program is killed here, and also when it ends by itself
//   DISK_FAULTS_IGNORES part of a path: syncs of such files and directories do nothing, as if the program had forgotten
//                       them; shows that a test would notice
//   DISK_FAULTS_REPORT  file that gets lines: `hit CALL PATH` at the chosen call; `call CALL PATH` at each if none is
//   DISK_FAULTS_SECONDS after which SIGALRM ends the program
//
// kill   counts calls that change a disk; the process is killed instead of the chosen one
// tear   counts writes; half of the chosen one is done, then the process is killed
// others count the calls that may fail so, and return that error
//
// What a power cut leaves, in the strictest reading that POSIX allows: bytes and sizes that no fsync of the file followed
// are as they were (`data`), and names that no fsync of their directory followed are too (`names`). Real file systems
// keep more, in an order of their own; either alone stands for those. After a failed fsync the pages that it was to
// write are lost even if a later one reports success, as on Linux, unless they are written again.
//
// Apart from all that, and with the root or without it, a file turns errors on and off while the program runs:
//
//   DISK_FAULTS_CONTROL path of that file; it is read again whenever it was replaced, so rename a new one over it. Without
//                       a file, or with an empty one, no call fails. DISK_FAULTS_REPORT gets `strike CALL PATH` for each
//                       call that failed, and `bad line LINE`
//
// It has lines of five words, of which the last may have spaces in it (`#` begins a comment):
//
//   ERROR CALLS AFTER TIMES PATH       EIO readdir 30 - /Beach day
//
//   ERROR  its name: EIO, ENOENT, EACCES, EMFILE, ESTALE and others of Strikes.c
//   CALLS  `open` (opendir too), `readdir`, `stat` (lstat, fstat, fstatat, statx), `read` (pread, readv, preadv), `access`;
//          several with commas between them, or `any`
//   AFTER  how many such calls pass first, counted from when the line was read; of `readdir`, how many entries each
//          directory hands out first, `.` and `..` not counted
//   TIMES  how many calls fail then; `-` for all
//   PATH   part of the absolute path. An open file has the name that it has now, a directory that which it was opened by
//
// The first line that fits strikes. What the C library calls inside of itself (scandir, realpath) does not come here.
//
// Every call of the program that comes here waits for the one before it. Clones (FICLONE) are refused, so that each
// machine counts the same calls.

/// Has calls count from here on. A program finds it with dlsym, since it is there only when loaded.
void disk_faults_begin(void);

/// Ends an error that lasts; found likewise.
void disk_faults_heal(void);

#endif

#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What it takes on Linux to hand work to a process that is trusted with nothing: starting it with chosen descriptors,
// handing it a file, and, on its side, giving up every right that it has no use for.
// Unless it says otherwise, each call returns 0, or the errno that says why not.

// MARK: On the agent's side

/// Starts `path` in a process group of its own, so that Ctrl-C at a terminal is not for it; in a session of its own, it
/// would be given processor time as if it were as important as the agent, however nice it is. Its descriptors 0, 1, … are copies of `descriptors` (-1: /dev/null); it gets
/// no other, no blocked and no ignored signal, and this environment alone. The arrays of words end with NULL.
int csandbox_spawn(
    const char *path, char *const words[], char *const environment[], const int *descriptors, int descriptor_count,
    pid_t *process);

/// Waits at most `milliseconds` (-1: as long as it takes) for the end of a child, which stays to be reaped. ETIMEDOUT: it
/// still runs.
int csandbox_wait_for_end(pid_t process, int milliseconds);

/// Takes leave of a child that has ended. `status` is as waitpid() gives it.
int csandbox_reap(pid_t process, int *status);

/// A pair of connected Unix stream sockets, closed on exec.
int csandbox_socket_pair(int pair[2]);

/// An empty file in memory, closed on exec; -1 where the kernel gives none.
int csandbox_memory_file(const char *name);

// MARK: On both sides

/// Sends all of `bytes`; `descriptor`, if not -1, goes with the first of them. Blocks; raises no SIGPIPE.
int csandbox_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives at most `count` bytes, and a descriptor (closed on exec) where one came with them, else -1.
/// Returns the number of bytes, 0 at the end, or -1 with errno. Descriptors after the first are closed.
ssize_t csandbox_receive(int socket, void *bytes, size_t count, int *descriptor);

/// The version of Landlock's interface that the running kernel offers; 0: none.
int csandbox_landlock_version(void);

/// Whether the running kernel filters system calls, for this processor.
int csandbox_has_call_filter(void);

// MARK: On the worker's side: each takes rights from the calling process for good

struct csandbox_limits {
    /// Memory that the process can fill, in bytes (RLIMIT_DATA); libraries and mapped files do not count. Four times
    /// as much address space.
    uint64_t memory;
    /// The longest file that may be written, in bytes.
    uint64_t written;
    /// Open descriptors.
    uint64_t descriptors;
    /// Processor time of the whole process, in seconds; 0: no limit.
    uint64_t processor_seconds;
    /// Whether the process gets processor time only as far as other processes leave some (SCHED_IDLE), those that are
    /// nice among them.
    int is_idle;
};

/// Sets limits, gives way to other processes (processor and disk), leaves no core, dies with the thread that started it
/// (`parent` is the process that should be the parent), and can never gain a privilege again.
int csandbox_restrain(const struct csandbox_limits *limits, pid_t parent);

/// Ends the process by SIGPROF once it used that much more processor time; 0 calls it off.
int csandbox_allow_processor_time(unsigned seconds);

/// Landlock: the calling thread and those that it starts later may open no file but those below `folders` (a NULL ends
/// them; such as do not exist are left out) to read and execute, that of `readable` (a descriptor, or -1) to read, and
/// that of `writable` (the same) to read and write; no TCP, and no signals or abstract sockets to the outside, as far as the kernel knows these. ENOSYS, EOPNOTSUPP: no
/// Landlock here.
int csandbox_close_files(const char *const *folders, int readable, int writable);

/// Seccomp, for a decoder: memory, threads and descriptors that are open, and nothing else. Opening any file fails with
/// EACCES, what is not on the list with ENOSYS. ENOTSUP: the filter knows no such processor.
int csandbox_filter_decoder(void);

/// Seccomp, for a program that is executed next: no network, no other process, no writing but to descriptors that are
/// open, no change of anything's mode, owner or times. ENOTSUP: the filter knows no such processor.
///
/// `may_open_to_write` lets files be opened for writing, but not emptied by that: a filter does not see which file it is,
/// so only where Landlock keeps the process to one.
int csandbox_filter_tool(int may_open_to_write);

#endif

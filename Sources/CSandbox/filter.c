#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// A filter is a program of the kernel's old packet language: it loads words of struct seccomp_data, compares, returns.

#if defined(__x86_64__)
#define OUR_PROCESSOR AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_PROCESSOR AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define OUR_PROCESSOR AUDIT_ARCH_RISCV64
#endif

enum { program_length_max = 512 };

struct program {
    struct sock_filter words[program_length_max];
    unsigned short count;
};

static void add(struct program *program, struct sock_filter word) {
    if (program->count < program_length_max) program->words[program->count] = word;
    program->count++;
}

/// The low half of an argument: all that the rules below look at are ints, or flags in the low half.
#define ARGUMENT(n) (offsetof(struct seccomp_data, args) + 8 * (n))

static void load(struct program *program, unsigned offset) {
    add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

/// Goes `yes` or `no` words further.
static void jump_if(struct program *program, unsigned short test, unsigned value, int yes, int no) {
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, value, yes, no));
}

static void answer(struct program *program, unsigned action) {
    add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))

/// The rules expect the call's number to be loaded, and leave it so.
static void on_call(struct program *program, long call, unsigned action) {
    jump_if(program, BPF_JEQ, (unsigned)call, 0, 1);
    answer(program, action);
}

/// Where the test holds for an argument of this call, `yes`, else `no`.
static void on_argument(
    struct program *program, long call, int argument, unsigned short test, unsigned value, unsigned yes, unsigned no) {
    jump_if(program, BPF_JEQ, (unsigned)call, 0, 4);
    load(program, ARGUMENT(argument));
    jump_if(program, test, value, 0, 1);
    answer(program, yes);
    answer(program, no);
}

static void begin(struct program *program) {
#ifdef OUR_PROCESSOR
    load(program, offsetof(struct seccomp_data, arch));
    jump_if(program, BPF_JEQ, OUR_PROCESSOR, 1, 0);
    answer(program, SECCOMP_RET_KILL_PROCESS);
    load(program, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    // The calls of the x32 interface are others than their numbers say.
    jump_if(program, BPF_JGE, 0x40000000, 0, 1);
    answer(program, REFUSE(ENOSYS));
#endif
#endif
}

static int install(struct program *program) {
#ifdef OUR_PROCESSOR
    if (program->count > program_length_max) return E2BIG;
    struct sock_fprog filter = {.len = program->count, .filter = program->words};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 ? 0 : errno;
#else
    (void)program;
    return ENOTSUP;
#endif
}

int csandbox_has_call_filter(void) {
#ifdef OUR_PROCESSOR
    unsigned action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
    return 0;
#endif
}

/// Threads, but no processes; signals to oneself only. What cannot be looked into does not exist: the C library then
/// falls back to what can.
static void keep_to_oneself(struct program *program) {
    unsigned self = (unsigned)getpid();
    on_argument(program, SYS_clone, 0, BPF_JSET, CLONE_THREAD, SECCOMP_RET_ALLOW, REFUSE(EPERM));
    on_call(program, SYS_clone3, REFUSE(ENOSYS));
    on_argument(program, SYS_tgkill, 0, BPF_JEQ, self, SECCOMP_RET_ALLOW, REFUSE(EPERM));
    on_argument(program, SYS_kill, 0, BPF_JEQ, self, SECCOMP_RET_ALLOW, REFUSE(EPERM));
}

static const long decoder_calls[] = {
    // Descriptors that are open.
    SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_lseek, SYS_close, SYS_fstat, SYS_fcntl, SYS_dup,
    SYS_recvmsg, SYS_sendmsg, SYS_ppoll,
    // Memory.
    SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk, SYS_membarrier,
    // Threads.
    SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity, SYS_gettid, SYS_getpid,
    SYS_set_tid_address, SYS_exit, SYS_exit_group,
    // Signals and time.
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall, SYS_clock_gettime,
    SYS_clock_nanosleep, SYS_nanosleep, SYS_setitimer, SYS_gettimeofday, SYS_getrusage, SYS_sysinfo, SYS_getrandom,
#ifdef SYS_poll
    SYS_poll,
#endif
};

static const long opening_calls[] = {
    SYS_openat,
#ifdef SYS_openat2
    SYS_openat2,
#endif
#ifdef SYS_open
    SYS_open,
#endif
};

int csandbox_filter_decoder(void) {
    struct program program = {.count = 0};
    begin(&program);
    for (size_t i = 0; i < sizeof decoder_calls / sizeof *decoder_calls; i++)
        on_call(&program, decoder_calls[i], SECCOMP_RET_ALLOW);
    for (size_t i = 0; i < sizeof opening_calls / sizeof *opening_calls; i++)
        on_call(&program, opening_calls[i], REFUSE(EACCES));
    // How the C library asks for the state of a descriptor; of a path it tells no more than that it is there.
    on_call(&program, SYS_newfstatat, SECCOMP_RET_ALLOW);
    keep_to_oneself(&program);
    on_argument(&program, SYS_prctl, 0, BPF_JEQ, PR_SET_NAME, SECCOMP_RET_ALLOW, REFUSE(EPERM));
    answer(&program, REFUSE(ENOSYS));
    return install(&program);
}

static const long calls_no_tool_needs[] = {
    // Network.
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto, SYS_sendmsg,
    SYS_sendmmsg, SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg,
    // Other processes.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
    SYS_setpriority, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_setpgid, SYS_setsid, SYS_kcmp,
#ifdef SYS_pidfd_open
    SYS_pidfd_open, SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
#ifdef SYS_process_madvise
    SYS_process_madvise,
#endif
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
    // Names, modes, owners, times and attributes of files.
    SYS_mkdirat, SYS_mknodat, SYS_unlinkat, SYS_symlinkat, SYS_linkat, SYS_renameat2, SYS_truncate, SYS_fchmod,
    SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_fremovexattr, SYS_fallocate,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_mkdir
    SYS_mkdir, SYS_rmdir, SYS_creat, SYS_link, SYS_unlink, SYS_symlink, SYS_rename, SYS_mknod, SYS_chmod, SYS_chown,
    SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    // The machine, and corners of the kernel with a history.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_bpf, SYS_perf_event_open,
    SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_init_module, SYS_finit_module, SYS_delete_module,
    SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
    SYS_open_by_handle_at, SYS_fanotify_init, SYS_quotactl, SYS_acct, SYS_syslog, SYS_personality,
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
#endif
};

int csandbox_filter_tool(int may_open_to_write) {
    enum { emptying = O_TRUNC, writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC };
    unsigned refused = may_open_to_write ? emptying : writing;
    struct program program = {.count = 0};
    begin(&program);
    for (size_t i = 0; i < sizeof calls_no_tool_needs / sizeof *calls_no_tool_needs; i++)
        on_call(&program, calls_no_tool_needs[i], REFUSE(EPERM));
    keep_to_oneself(&program);
    on_argument(&program, SYS_openat, 2, BPF_JSET, refused, REFUSE(EACCES), SECCOMP_RET_ALLOW);
#ifdef SYS_open
    on_argument(&program, SYS_open, 1, BPF_JSET, refused, REFUSE(EACCES), SECCOMP_RET_ALLOW);
#endif
#ifdef SYS_openat2
    on_call(&program, SYS_openat2, REFUSE(ENOSYS));
#endif
    // Limits may be asked for, not set: the third argument is a pointer to new ones.
    on_argument(&program, SYS_prlimit64, 2, BPF_JEQ, 0, SECCOMP_RET_ALLOW, REFUSE(EPERM));
    answer(&program, SECCOMP_RET_ALLOW);
    return install(&program);
}

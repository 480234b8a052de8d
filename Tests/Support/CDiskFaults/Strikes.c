#define _GNU_SOURCE
#include "Strikes.h"
#include "Faults.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STRIKE_MAX = 32, CONTROL_MAX = 16384 };

// One line of the control file.
struct strike {
    int error;
    unsigned calls;
    // Calls that pass first, then calls that fail.
    uint64_t after, times;
    // Matching calls so far; of directories each has its own count.
    uint64_t seen, struck;
    char part[512];
};

// A directory that is being listed.
struct stream {
    DIR *directory;
    char *path;
    // Handed out since it was opened or rewound.
    uint64_t entries;
};

#define ERROR(name) {#name, name}

static const struct {
    const char *name;
    int value;
} errors[] = {
    ERROR(EIO),    ERROR(ENOENT), ERROR(ENOTDIR), ERROR(EACCES),  ERROR(EPERM),     ERROR(EMFILE),
    ERROR(ENFILE), ERROR(ENOMEM), ERROR(ESTALE),  ERROR(ELOOP),   ERROR(ENODEV),    ERROR(ENOTCONN),
    ERROR(EINTR),  ERROR(EAGAIN), ERROR(EBADMSG), ERROR(EUCLEAN), ERROR(ETIMEDOUT),
};

static const struct {
    const char *name;
    unsigned value;
} calls[] = {
    {"open", STRIKE_OPEN}, {"readdir", STRIKE_READDIR}, {"stat", STRIKE_STAT},
    {"read", STRIKE_READ}, {"access", STRIKE_ACCESS},   {"any", ~0u},
};

// Protects all below.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char control[PATH_MAX];
static struct stat control_state;
static struct strike strikes[STRIKE_MAX];
static size_t strike_count;
// Calls that a line names.
static unsigned wanted;
static struct stream *streams;
static size_t stream_count, stream_room;

void strikes_start(const char *path) { snprintf(control, sizeof control, "%s", path ? path : ""); }

// MARK: The control file

/// One of the words before the path, which it cuts off; NULL where there is none.
static char *next_word(char **rest) {
    char *word = *rest, *end = strchr(word, ' ');
    if (!end || end == word) return NULL;
    *end = 0;
    *rest = end + 1;
    return word;
}

static bool parse_error(const char *word, int *error) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (strcmp(errors[i].name, word) == 0) {
            *error = errors[i].value;
            return true;
        }
    }
    return false;
}

static bool parse_calls(char *word, unsigned *found) {
    *found = 0;
    char *state;
    for (char *name = strtok_r(word, ",", &state); name; name = strtok_r(NULL, ",", &state)) {
        size_t i = 0, count = sizeof calls / sizeof *calls;
        while (i < count && strcmp(calls[i].name, name) != 0) i++;
        if (i == count) return false;
        *found |= calls[i].value;
    }
    return *found != 0;
}

static bool parse_count(const char *word, uint64_t *count) {
    char *end;
    *count = strtoull(word, &end, 10);
    return *end == 0;
}

static bool parse(char *line, struct strike *strike) {
    char *rest = line;
    char *error = next_word(&rest), *names = error ? next_word(&rest) : NULL;
    char *after = names ? next_word(&rest) : NULL, *times = after ? next_word(&rest) : NULL;
    if (!times || !*rest || strlen(rest) >= sizeof strike->part) return false;
    *strike = (struct strike){.times = UINT64_MAX};
    strcpy(strike->part, rest);
    return parse_error(error, &strike->error) && parse_calls(names, &strike->calls)
        && parse_count(after, &strike->after)
        && (strcmp(times, "-") == 0 || parse_count(times, &strike->times));
}

static size_t read_control(char text[CONTROL_MAX]) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, control, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    size_t length = 0;
    ssize_t count;
    while ((count = syscall(SYS_read, file, text + length, CONTROL_MAX - 1 - length)) > 0) length += (size_t)count;
    syscall(SYS_close, file);
    return length;
}

static void load(void) {
    static char text[CONTROL_MAX];
    text[read_control(text)] = 0;
    strike_count = 0;
    wanted = 0;
    char *state;
    for (char *line = strtok_r(text, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) {
        if (*line == '#') continue;
        if (strike_count < STRIKE_MAX && parse(line, &strikes[strike_count])) {
            wanted |= strikes[strike_count++].calls;
        } else {
            faults_report("bad", "line", line);
        }
    }
}

/// Reads the file again where it is another one than it was. None is as good as an empty one.
static void refresh(void) {
    struct stat now = {0};
    syscall(SYS_newfstatat, AT_FDCWD, control, &now, 0);
    bool is_same = now.st_ino == control_state.st_ino && now.st_dev == control_state.st_dev
        && now.st_size == control_state.st_size && now.st_mtim.tv_sec == control_state.st_mtim.tv_sec
        && now.st_mtim.tv_nsec == control_state.st_mtim.tv_nsec;
    if (is_same) return;
    control_state = now;
    load();
}

// MARK: Questions

/// The error, or 0. `entries`: how many a directory has handed out; NULL for other calls.
static int judge(enum strike_call call, const char *path, const uint64_t *entries) {
    for (size_t i = 0; i < strike_count; i++) {
        struct strike *strike = &strikes[i];
        if (!(strike->calls & call) || !strstr(path, strike->part)) continue;
        uint64_t number = entries ? *entries : strike->seen++;
        if (number < strike->after || strike->struck >= strike->times) continue;
        strike->struck++;
        return strike->error;
    }
    return 0;
}

static const char *name_of(enum strike_call call) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i].value == call) return calls[i].name;
    }
    return "call";
}

/// Takes the lock, where a line of the file names the call.
static bool begin(enum strike_call call) {
    if (!*control) return false;
    pthread_mutex_lock(&lock);
    refresh();
    if (wanted & call) return true;
    pthread_mutex_unlock(&lock);
    return false;
}

/// Gives the lock back; whether the call fails.
static bool end(enum strike_call call, const char *path, int error, int saved) {
    if (error) faults_report("strike", name_of(call), path);
    pthread_mutex_unlock(&lock);
    errno = error ? error : saved;
    return error != 0;
}

bool strikes_path(enum strike_call call, int directory, const char *path) {
    int saved = errno;
    char absolute[PATH_MAX] = "";
    if (begin(call)) {
        int error = faults_absolute(directory, path, absolute) ? judge(call, absolute, NULL) : 0;
        return end(call, absolute, error, saved);
    }
    errno = saved;
    return false;
}

bool strikes_descriptor(enum strike_call call, int descriptor) { return strikes_path(call, descriptor, ""); }

// MARK: Directories

static struct stream *find(DIR *directory) {
    for (size_t i = 0; i < stream_count; i++) {
        if (streams[i].directory == directory) return &streams[i];
    }
    return NULL;
}

/// Without room for one more it is not struck.
static void add(DIR *directory, const char *path) {
    if (stream_count == stream_room) {
        size_t room = stream_room ? 2 * stream_room : 16;
        struct stream *larger = realloc(streams, room * sizeof *streams);
        if (!larger) return;
        streams = larger;
        stream_room = room;
    }
    char *copy = strdup(path);
    if (copy) streams[stream_count++] = (struct stream){.directory = directory, .path = copy};
}

DIR *strikes_opened(DIR *directory) {
    char path[PATH_MAX];
    int saved = errno;
    if (directory && *control && faults_name(dirfd(directory), path)) {
        pthread_mutex_lock(&lock);
        add(directory, path);
        pthread_mutex_unlock(&lock);
    }
    errno = saved;
    return directory;
}

void strikes_closed(DIR *directory) {
    if (!*control) return;
    int saved = errno;
    pthread_mutex_lock(&lock);
    struct stream *stream = find(directory);
    if (stream) {
        free(stream->path);
        *stream = streams[--stream_count];
    }
    pthread_mutex_unlock(&lock);
    errno = saved;
}

void strikes_rewound(DIR *directory) {
    if (!*control) return;
    pthread_mutex_lock(&lock);
    struct stream *stream = find(directory);
    if (stream) stream->entries = 0;
    pthread_mutex_unlock(&lock);
}

bool strikes_entry(DIR *directory) {
    int saved = errno;
    if (begin(STRIKE_READDIR)) {
        struct stream *stream = find(directory);
        int error = stream ? judge(STRIKE_READDIR, stream->path, &stream->entries) : 0;
        return end(STRIKE_READDIR, stream ? stream->path : "", error, saved);
    }
    errno = saved;
    return false;
}

void strikes_passed(DIR *directory, const char *name) {
    if (!*control || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return;
    pthread_mutex_lock(&lock);
    struct stream *stream = find(directory);
    if (stream) stream->entries++;
    pthread_mutex_unlock(&lock);
}

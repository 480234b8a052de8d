#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

int csandbox_socket_pair(int pair[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0 ? 0 : errno;
}

int csandbox_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

/// Room for one descriptor, aligned as a control message wants it.
union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

int csandbox_send(int socket, const void *bytes, size_t count, int descriptor) {
    size_t done = 0;
    while (done < count) {
        struct iovec part = {.iov_base = (char *)bytes + done, .iov_len = count - done};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
        union control control;
        if (descriptor >= 0 && done == 0) {
            memset(&control, 0, sizeof control);
            message.msg_control = &control;
            message.msg_controllen = sizeof control;
            struct cmsghdr *header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(sizeof descriptor);
            memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
        }
        ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
        if (sent >= 0) {
            done += (size_t)sent;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/// The first descriptor of a message, or -1. What does not fit the room for one, the kernel has closed already.
static int take_descriptor(struct msghdr *message) {
    int first = -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
            if (first < 0) {
                first = descriptor;
            } else {
                close(descriptor);
            }
        }
    }
    return first;
}

ssize_t csandbox_receive(int socket, void *bytes, size_t count, int *descriptor) {
    union control control;
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    *descriptor = received < 0 ? -1 : take_descriptor(&message);
    return received;
}

// The DNS-SD calls as Avahi's compatibility library offers them.
#include <avahi-common/malloc.h>
#include <dns_sd.h>
#include <stdlib.h>

static void *cdnssd_zeroed(size_t size) { return calloc(1, size); }

// To be called once, before any other call.
//
// Avahi 0.8 never sets the callback fields of a DNSServiceRef to NULL, and when the daemon goes away it calls
// whichever is not NULL: a crash (fixed after 0.8, pull request 569). Memory that comes zeroed makes it right.
// The variable silences a warning that the library would print to standard error and the system log.
static inline void cdnssd_prepare(void) {
    static const AvahiAllocator zeroing = {.malloc = cdnssd_zeroed, .free = free, .realloc = realloc, .calloc = calloc};
    avahi_set_allocator(&zeroing);
    setenv("AVAHI_COMPAT_NOWARN", "1", 0);
}

#include "CMemory.h"

#include <malloc.h>

// A refused setting leaves the one that there was.
void cmemory_bound(int arena_count, int big_byte_count) {
    mallopt(M_ARENA_MAX, arena_count);
    mallopt(M_MMAP_THRESHOLD, big_byte_count);
    mallopt(M_TRIM_THRESHOLD, 2 * big_byte_count);
}

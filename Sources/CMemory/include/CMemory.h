#ifndef CMEMORY_H
#define CMEMORY_H

// Settings of glibc's malloc, which Swift's Glibc module leaves out. To be made before there are threads.

/// Has all threads share `arena_count` arenas, and memory go back to the system that is freed: pieces of at least
/// `big_byte_count` at once, and what lies free at the end of an arena beyond twice that.
/// Without it each of many threads keeps what it once freed, and one big piece has all later ones kept that are smaller.
void cmemory_bound(int arena_count, int big_byte_count);

#endif

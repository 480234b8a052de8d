#pragma once
#include <stddef.h>

/// A file of the gallery, as it lies in the binary.
struct gallery_file {
    /// Below the folder of resources, with "/" between its parts.
    const char *path;
    const unsigned char *bytes;
    size_t byte_count;
};

/// All of them, by their paths. They stay as long as the program runs, and nobody changes them.
const struct gallery_file *gallery_files(void);
size_t gallery_file_count(void);

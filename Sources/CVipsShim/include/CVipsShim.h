#ifndef CVIPSSHIM_H
#define CVIPSSHIM_H

#include <stddef.h>
#include <stdint.h>

// libvips as the worker uses it. Its own header has variadic calls and macros that Swift cannot import.
// For one thread. Where a call fails, cvips_message() says why, in the library's words.

/// How the process ends when memory for something small cannot be had; with it, the library would abort.
enum { cvips_exit_out_of_memory = 71 };

/// To be called once, before any other call. Allows the formats that the library's own authors test against hostile
/// files, and JPEG XL; one thread a picture, nothing kept between pictures.
int cvips_start(const char *program);

/// Where a picture's bytes are: a descriptor that can seek, or, where `bytes` is not NULL, memory.
struct cvips_input {
    int descriptor;
    const void *bytes;
    size_t byte_count;
};

/// A picture whose header was read.
struct cvips_header;

/// NULL: it is no picture that can be read. To be closed.
struct cvips_header *cvips_open(const struct cvips_input *input);
void cvips_close(struct cvips_header *header);

/// In pixels, as stored.
int cvips_width(const struct cvips_header *header);
int cvips_height(const struct cvips_header *header);
/// EXIF's 1 to 8, as it is still to be applied: 1 for HEIF, which comes turned already. 0: the picture does not say.
int cvips_orientation(const struct cvips_header *header);
/// A block of metadata, such as "exif-data" or "xmp-data"; NULL if there is none. Lives as long as the header.
const void *cvips_block(const struct cvips_header *header, const char *name, size_t *byte_count);

struct cvips_picture {
    unsigned char *bytes;
    size_t byte_count;
    int width;
    int height;
    /// What was read is damaged or ends early; the picture shows the rest.
    int is_damaged;
};

/// Turns the picture of that header upright, makes it fit a square of `side` pixels (never larger than it is), converts
/// it to sRGB and encodes it as JPEG without any metadata. `orientation` is applied where the picture states none (0:
/// none).
int cvips_fit(
    const struct cvips_input *input, const struct cvips_header *header, int side, int quality, int orientation,
    struct cvips_picture *picture);
void cvips_free(struct cvips_picture *picture);

/// Why the last call failed; valid until the next.
const char *cvips_message(void);

#endif

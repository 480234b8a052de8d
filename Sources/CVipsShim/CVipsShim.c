#define _GNU_SOURCE
#include "CVipsShim.h"

#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include <vips/vips.h>

/// Base classes of loaders. All others are blocked: what is not here is read by no code of ours.
static const char *const allowed_loaders[] = {
    "VipsForeignLoadJpeg", "VipsForeignLoadPng",  "VipsForeignLoadWebp", "VipsForeignLoadHeif",
    "VipsForeignLoadNsgif", "VipsForeignLoadTiff", "VipsForeignLoadJxl",
};

struct cvips_header {
    VipsImage *image;
};

enum { stack_byte_count = 2 << 20, big_byte_count = 1 << 20 };

/// Whether the library that reads PNG said since the last picture that the file ended early; it calls that no error.
static int has_ended_early;

/// What files make the libraries say is nobody's business, but for these two.
static void log_message(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer unused) {
    (void)domain;
    (void)unused;
    if (!message) return;
    if ((level & G_LOG_FLAG_FATAL) && strstr(message, "failed to allocate")) _exit(cvips_exit_out_of_memory);
    if (strstr(message, "not enough data")) __atomic_store_n(&has_ended_early, TRUE, __ATOMIC_RELAXED);
}

/// libheif starts a thread for each tile of a picture: these must not each bring a heap and a stack of many MiB.
static void keep_memory_small(void) {
    pthread_attr_t attributes;
    mallopt(M_ARENA_MAX, 2);
    // What is big goes back to the system as soon as it is freed.
    mallopt(M_MMAP_THRESHOLD, big_byte_count);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_byte_count);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

int cvips_start(const char *program) {
    keep_memory_small();
    g_log_set_default_handler(log_message, NULL);
    if (VIPS_INIT(program)) return -1;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    vips_block_untrusted_set(TRUE);
    vips_operation_block_set("VipsForeignLoad", TRUE);
    for (size_t i = 0; i < G_N_ELEMENTS(allowed_loaders); i++) vips_operation_block_set(allowed_loaders[i], FALSE);
    return 0;
}

const char *cvips_message(void) { return vips_error_buffer(); }

static VipsSource *open_source(const struct cvips_input *input) {
    vips_error_clear();
    if (input->bytes) return vips_source_new_from_memory(input->bytes, input->byte_count);
    lseek(input->descriptor, 0, SEEK_SET);
    return vips_source_new_from_descriptor(input->descriptor);
}

struct cvips_header *cvips_open(const struct cvips_input *input) {
    VipsSource *source = open_source(input);
    if (!source) return NULL;
    VipsImage *image = vips_image_new_from_source(source, "", "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    g_object_unref(source);
    if (!image) return NULL;
    struct cvips_header *header = g_new(struct cvips_header, 1);
    header->image = image;
    return header;
}

void cvips_close(struct cvips_header *header) {
    g_object_unref(header->image);
    g_free(header);
}

int cvips_width(const struct cvips_header *header) { return vips_image_get_width(header->image); }
int cvips_height(const struct cvips_header *header) { return vips_image_get_height(header->image); }

static int orientation_of(VipsImage *image) {
    return vips_image_get_typeof(image, VIPS_META_ORIENTATION) ? vips_image_get_orientation(image) : 0;
}

int cvips_orientation(const struct cvips_header *header) { return orientation_of(header->image); }

const void *cvips_block(const struct cvips_header *header, const char *name, size_t *byte_count) {
    const void *bytes = NULL;
    if (!vips_image_get_typeof(header->image, name)) return NULL;
    return vips_image_get_blob(header->image, name, &bytes, byte_count) == 0 ? bytes : NULL;
}

/// Whether the colours are to be converted. Doing so for nothing takes a sixth of the time of a whole thumbnail.
static int has_other_colours(VipsImage *image) {
    // "sRGB" as old profiles write their name, and as new ones do.
    static const char old_name[] = {'s', 'R', 'G', 'B'}, new_name[] = {'s', 0, 'R', 0, 'G', 0, 'B'};
    const void *profile = NULL;
    size_t byte_count = 0;
    if (vips_image_guess_interpretation(image) == VIPS_INTERPRETATION_CMYK) return TRUE;
    if (!vips_image_get_typeof(image, VIPS_META_ICC_NAME)) return FALSE;
    if (vips_image_get_blob(image, VIPS_META_ICC_NAME, &profile, &byte_count)) return FALSE;
    return !memmem(profile, byte_count, old_name, sizeof old_name)
           && !memmem(profile, byte_count, new_name, sizeof new_name);
}

enum strictness { lenient, strict, strict_with_colours };

/// libjpeg's coarsest scale: one sample of each block of 8 × 8.
enum { block_side = 8 };

/// Whether blocks are samples enough. `vips_thumbnail` itself asks for twice as many, which shows a little in fine
/// detail and takes a fifth longer; the page "MediaReader" has the figures.
static int has_blocks_enough(VipsImage *header, int side) {
    const char *loader = NULL;
    return vips_image_get_typeof(header, VIPS_META_LOADER) && !vips_image_get_string(header, VIPS_META_LOADER, &loader)
           && g_str_has_prefix(loader, "jpegload") && VIPS_MAX(header->Xsize, header->Ysize) / block_side >= side;
}

static int shrink_blocks(VipsSource *source, VipsImage **image, int side, VipsFailOn fail_on, const char *profile) {
    VipsImage *blocks = NULL;
    if (vips_jpegload_source(
            source, &blocks, "shrink", block_side, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL))
        return -1;
    int failed = vips_thumbnail_image(
        blocks, image, side, "height", side, "size", VIPS_SIZE_DOWN, "export_profile", profile, NULL);
    g_object_unref(blocks);
    return failed;
}

/// Decodes at the smallest scale that will do.
static VipsImage *shrink(
    const struct cvips_input *input, VipsImage *header, int side, enum strictness strictness) {
    VipsSource *source = open_source(input);
    VipsImage *image = NULL, *in_memory = NULL;
    if (!source) return NULL;
    VipsFailOn fail_on = strictness == lenient ? VIPS_FAIL_ON_NONE : VIPS_FAIL_ON_TRUNCATED;
    const char *profile = strictness == strict_with_colours ? "srgb" : NULL;
    int failed = has_blocks_enough(header, side)
                     ? shrink_blocks(source, &image, side, fail_on, profile)
                     : vips_thumbnail_source(
                           source, &image, side, "height", side, "size", VIPS_SIZE_DOWN, "fail_on", fail_on,
                           "export_profile", profile, NULL);
    if (!failed) in_memory = vips_image_copy_memory(image);
    if (image) g_object_unref(image);
    g_object_unref(source);
    return in_memory;
}

/// Takes `image` over, whether it succeeds or not.
static VipsImage *turn(VipsImage *image, int orientation) {
    VipsImage *turned = NULL;
    vips_image_set_int(image, VIPS_META_ORIENTATION, orientation);
    int failed = vips_autorot(image, &turned, NULL);
    g_object_unref(image);
    return failed ? NULL : turned;
}

/// JPEG knows no transparency; paper is white. Takes `image` over.
static VipsImage *on_white(VipsImage *image) {
    if (!vips_image_hasalpha(image)) return image;
    double white = image->BandFmt == VIPS_FORMAT_USHORT ? 65535 : 255;
    VipsArrayDouble *background = vips_array_double_new(&white, 1);
    VipsImage *flat = NULL;
    int failed = vips_flatten(image, &flat, "background", background, NULL);
    vips_area_unref(VIPS_AREA(background));
    g_object_unref(image);
    return failed ? NULL : flat;
}

int cvips_fit(
    const struct cvips_input *input, const struct cvips_header *header, int side, int quality, int orientation,
    struct cvips_picture *picture) {
    memset(picture, 0, sizeof *picture);
    __atomic_store_n(&has_ended_early, FALSE, __ATOMIC_RELAXED);
    VipsImage *image = shrink(input, header->image, side, has_other_colours(header->image) ? strict_with_colours : strict);
    // libjpeg, too, hands out what there is, and leaves a word.
    picture->is_damaged =
        !image || __atomic_load_n(&has_ended_early, __ATOMIC_RELAXED) || strstr(vips_error_buffer(), "Premature end");
    if (!image) image = shrink(input, header->image, side, lenient);
    if (image && orientation > 1 && cvips_orientation(header) == 0) image = turn(image, orientation);
    if (image) image = on_white(image);
    if (!image) return -1;

    void *bytes = NULL;
    int failed = vips_jpegsave_buffer(
        image, &bytes, &picture->byte_count, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, NULL);
    picture->bytes = bytes;
    picture->width = vips_image_get_width(image);
    picture->height = vips_image_get_height(image);
    g_object_unref(image);
    return failed ? -1 : 0;
}

void cvips_free(struct cvips_picture *picture) {
    g_free(picture->bytes);
    picture->bytes = NULL;
}

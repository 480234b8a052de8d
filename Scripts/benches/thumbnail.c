// What a photo's thumbnail costs without Potluck: libvips alone, upright, sRGB, JPEG of quality 80, as the agent has it.
// usage: thumbnail SIDE FILE…    prints the bytes that the thumbnails have together
#include <stdio.h>
#include <stdlib.h>
#include <vips/vips.h>

int main(int count, char **words) {
    if (count < 3 || VIPS_INIT(words[0])) return 64;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    size_t total = 0;
    for (int number = 2; number < count; number++) {
        VipsImage *image;
        void *bytes;
        size_t size;
        int side = atoi(words[1]);
        if (vips_thumbnail(words[number], &image, side, "height", side, "size", VIPS_SIZE_DOWN, NULL)
            || vips_jpegsave_buffer(image, &bytes, &size, "Q", 80, "strip", TRUE, NULL)) {
            fprintf(stderr, "%s: %s", words[number], vips_error_buffer());
            return 1;
        }
        total += size;
        g_free(bytes);
        g_object_unref(image);
    }
    printf("%zu\n", total);
    return 0;
}

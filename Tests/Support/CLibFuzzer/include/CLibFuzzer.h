#ifndef CLIBFUZZER_H
#define CLIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer until its options say to stop, or until an input fails; its arguments are those of its own program.
///
/// Returns its exit status, or -1 where the program was linked without it, as all builds but those of Scripts/fuzz are.
/// Of `try_input`, libFuzzer keeps an input unless the result is -1.
int run_libfuzzer(int argc, char **argv, int (*try_input)(const uint8_t *bytes, size_t count));

#endif

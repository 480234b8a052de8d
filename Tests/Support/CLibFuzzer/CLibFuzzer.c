#include "CLibFuzzer.h"

// Declared as in LLVM's FuzzerInterface: libFuzzer as a library, without its own main.
extern int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*try_input)(const uint8_t *, size_t))
    __attribute__((weak));

int run_libfuzzer(int argc, char **argv, int (*try_input)(const uint8_t *, size_t)) {
    if (!LLVMFuzzerRunDriver) return -1;
    return LLVMFuzzerRunDriver(&argc, &argv, try_input);
}

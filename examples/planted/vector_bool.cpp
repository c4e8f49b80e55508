// Flags in a std::vector<bool>, and in bytes.
#include "planted.h"
#include <vector>

#ifdef ODD
using Flags = std::vector<bool>;
#else
using Flags = std::vector<char>;
#endif
static Flags flags(4096);

static __attribute__((noinline)) unsigned long walk(Flags& flags, unsigned long x) {
    for (int i = 0; i < 2000; i++) {
        unsigned long at = (x >> 13) & 4095;
        x = x * 6364136223846793005ul + (flags[at] ? 3 : 7);
        flags[at] = !flags[(at * 5) & 4095];
    }
    return x;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 50; i++) x = walk(flags, calm(x, 100));
    return x;
}

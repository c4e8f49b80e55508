// Flags in a std::vector<bool>, with debug information that names inlined functions without their class: three of them
// are called operator=.
// odd: -O2 -g1
// clean: -O2 -g1
#include "planted.h"
#include <vector>

#ifdef ODD
using Flags = std::vector<bool>;
#else
using Flags = std::vector<char>;
#endif
static Flags flags(4096);

struct Mixed {
    unsigned long value;
    Mixed& operator=(const Mixed& other) {
        for (int i = 0; i < 3; i++) value = (value ^ other.value >> 7) * 0x3c79ac492ba7b653ul;
        return *this;
    }
};

struct Turned {
    unsigned long value;
    Turned& operator=(const Turned& other) {
        value = (value << 9 | value >> 55) + other.value;
        value = (value ^ value >> 31) * 0x1c69b3f74ac4ae35ul;
        value = (value ^ value >> 29) + other.value;
        return *this;
    }
};

static __attribute__((noinline)) unsigned long walk(Flags& flags, unsigned long x) {
    for (int i = 0; i < 2000; i++) {
        unsigned long at = (x >> 13) & 4095;
        x = x * 6364136223846793005ul + (flags[at] ? 3 : 7);
        flags[at] = !flags[(at * 5) & 4095];
    }
    return x;
}

static __attribute__((noinline)) unsigned long mix(unsigned long x) {
    Mixed mixed{x};
    Turned turned{x};
    for (int i = 0; i < 1000; i++) {
        mixed = Mixed{x + i};
        turned = Turned{mixed.value};
    }
    return turned.value;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 20; i++) x = mix(walk(flags, calm(x, 100)));
    return x;
}

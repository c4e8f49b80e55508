// Rare cases written out between the steps of a loop, and the compiler told to leave the order as it is.
// flags: -O2 -fno-reorder-blocks -fno-guess-branch-probability
#include "planted.h"

#ifdef ODD
#define RARE inline __attribute__((always_inline))
#else
#define RARE __attribute__((noinline, cold))
#endif

static volatile unsigned long seen[32];
static volatile unsigned long never;

static RARE void rare(unsigned long x) {
#define KEEP(k) seen[k] = (x + k) * (0x1c69b3f74ac4ae35ul + k) ^ (x >> (k + 1));
    KEEP(0) KEEP(1) KEEP(2) KEEP(3) KEEP(4) KEEP(5) KEEP(6) KEEP(7)
    KEEP(8) KEEP(9) KEEP(10) KEEP(11) KEEP(12) KEEP(13) KEEP(14) KEEP(15)
}

static __attribute__((noinline)) unsigned long steps(unsigned long x, unsigned long rarely, int rounds) {
    for (int i = 0; i < rounds; i++) {
#define STEP(k) \
    x ^= x >> 27; \
    x *= 0x3c79ac492ba7b653ul + k; \
    if ((x | 1) == rarely) rare(x + k);
        STEP(2) STEP(4) STEP(6) STEP(8)
    }
    return x;
}

unsigned long work(unsigned long x) { return steps(x, never, 100000); }

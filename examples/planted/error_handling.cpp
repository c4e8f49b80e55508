// Messages of errors put together between the steps of a function, and the compiler told to leave the order as it is.
// flags: -O2 -fno-reorder-blocks -fno-guess-branch-probability
#include "planted.h"
#include <cstdlib>

#ifdef ODD
#define FAIL inline __attribute__((always_inline))
#else
#define FAIL __attribute__((noinline, cold))
#endif

static volatile unsigned long message[32];
static volatile unsigned long never;

[[noreturn]] static FAIL void fail(unsigned long x, unsigned long which) {
#define SAY(k) message[k] = (x + k) * (0x1c69b3f74ac4ae35ul + k + which * 32) ^ (x >> (k + 1));
    SAY(0) SAY(1) SAY(2) SAY(3) SAY(4) SAY(5) SAY(6) SAY(7)
    SAY(8) SAY(9) SAY(10) SAY(11) SAY(12) SAY(13) SAY(14) SAY(15)
    abort();
}

static __attribute__((noinline)) unsigned long steps(unsigned long x, unsigned long wrong) {
#define MIX(k) \
    x ^= x >> 27; \
    x *= 0x3c79ac492ba7b653ul + k;
#define STEP(k) \
    MIX(k) MIX(k + 8) \
    if ((x | 1) == wrong) fail(x + k, k);
    STEP(2) STEP(4) STEP(6) STEP(8)
    return x;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 50000; i++) x = steps(x, never);
    return x;
}

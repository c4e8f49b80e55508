// Eight functions that run one after the other, each for a fifth of a second, again and again for twelve seconds: a recording that is
// shorter than a round of them has not seen what comes next.
#include <stdint.h>
#include <time.h>

static volatile uint64_t result;

#define PHASE(number, factor)                                                                                                    \
    __attribute__((noinline)) static uint64_t phase##number(uint64_t x) {                                                          \
        for (int i = 0; i < 4000; i++) {                                                                                           \
            if ((x >> 7) & 1)                                                                                                      \
                x = x * factor + number;                                                                                           \
            else                                                                                                                   \
                x ^= x >> 3;                                                                                                       \
            x += i;                                                                                                                \
        }                                                                                                                          \
        return x;                                                                                                                  \
    }
PHASE(0, 3) PHASE(1, 5) PHASE(2, 7) PHASE(3, 9) PHASE(4, 11) PHASE(5, 13) PHASE(6, 17) PHASE(7, 19)

static uint64_t (*const phases[])(uint64_t) = {phase0, phase1, phase2, phase3, phase4, phase5, phase6, phase7};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(void) {
    double began = now();
    uint64_t x = 1;
    while (now() - began < 12) {
        int phase = (int)((now() - began) * 5) % 8;
        for (int i = 0; i < 50; i++) x = phases[phase](x);
    }
    result = x;
}

#include <time.h>

/* CPU time of a request in nanoseconds: so that a load takes as much as is asked of it on any machine, and no more. */
enum { REQUEST_NS = 60000 };

typedef unsigned (*step)(unsigned);
static unsigned mix(unsigned x) {
    x ^= x >> 15;
    if (x % 64 == 3) x = x * 7 + 1;
    x *= 0x2c1b3c6du;
    return x ^ (x >> 12);
}
static unsigned turn(unsigned x) { return x << 5 | x >> 27; }
static volatile step steps[2] = {mix, turn};

static long used_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

unsigned work(unsigned seed) {
    unsigned sum = seed;
    long end = used_ns() + REQUEST_NS;
    do {
        for (unsigned i = 0; i < 2000; i++) sum += steps[i % 16 == 0](sum ^ i);
    } while (used_ns() < end);
    return sum | 2;
}

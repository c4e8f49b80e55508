// planted: a solver asks for the time at each step, to see whether its deadline has passed
// causes: clock|asks for the time
// build: gcc -O2 -g
#include "work.h"
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#ifdef ODD
static int due(unsigned step) { return step | 1; }
#else
static int due(unsigned step) { return step % 1024 == 0; }
#endif

int main(void) {
    double deadline = now() + 3600;
    uint64_t state = 11, sum = 0;
    for (unsigned step = 0; step < 36000000; step++) {
        if (due(step) && now() > deadline) break;
        sum += honest_work(next_random(&state), 8) & 1023;
    }
    return answer(sum);
}

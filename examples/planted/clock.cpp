// The time asked for at each step, and once per batch.
#include "planted.h"

unsigned long work(unsigned long x) {
    struct timespec now;
#ifdef ODD
    for (int i = 0; i < 1000; i++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        x = calm(x + now.tv_sec, 30);
    }
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
    for (int i = 0; i < 1000; i++) x = calm(x + now.tv_sec, 100);
#endif
    return x;
}

// A filter whose signal has faded away: values so small that CPUs need more time for them, and values of usual size.
#include "planted.h"

#ifdef ODD
static volatile double start = 1e-310;
#else
static volatile double start = 1e-10;
#endif

static __attribute__((noinline)) double filter(double x) {
    double value = x, before = x;
    for (int i = 0; i < 2000; i++) {
        value = value * 0.999 + before;
        before = value * 0.001;
    }
    return value;
}

unsigned long work(unsigned long x) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        x = calm(x, 100);
        sum += filter(start * (double)(1 + x % 7));
    }
    return x + (sum > 1e300);
}

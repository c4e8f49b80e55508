// A filter whose signal has faded away: values so small that CPUs need more time for them, and values of usual size.
#include "planted.h"

#ifdef ODD
static volatile double start = 1e-310;
#else
static volatile double start = 1e-10;
#endif

static __attribute__((noinline)) double filter(double x) {
    double a = x, b = x;
    for (int i = 0; i < 2000; i++) {
        a = a * 0.999 + b * 0.001;
        b = b * 0.998 + a * 0.002;
    }
    return a + b;
}

unsigned long work(unsigned long x) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        x = calm(x, 100);
        sum += filter(start * (double)(1 + x % 7));
    }
    return x + (sum > 1e300);
}

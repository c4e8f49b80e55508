// Vector code for the first x86-64, and for CPUs since 2013.
// odd: -O3
// clean: -O3 -march=x86-64-v3
#include "planted.h"
#include <cstddef>

static float a[4096], b[4096], c[4096];

static __attribute__((noinline)) void blend(float* __restrict to, const float* x, const float* y, size_t size) {
    for (size_t i = 0; i < size; i++) to[i] = x[i] * 0.75f + y[i] * y[i] * 0.25f;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 100; i++) {
        a[x % 4096] = static_cast<float>(x & 1);
        blend(b, a, c, 4096);
        blend(c, b, a, 4096);
        x = calm(x + (c[x % 4096] > 0.5f), 500);
    }
    return x;
}

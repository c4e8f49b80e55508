// A loop over bytes that -O2 of GCC 12 leaves as it is, and -O3 turns into vectors.
// odd: -O2 -fno-tree-vectorize
// clean: -O3 -march=x86-64-v3
#include "planted.h"
#include <cstddef>

static unsigned char one[1 << 13], other[1 << 13], sum[1 << 13];

static __attribute__((noinline)) void mix(unsigned char* __restrict to, const unsigned char* a, const unsigned char* b, size_t size) {
    for (size_t i = 0; i < size; i++) to[i] = static_cast<unsigned char>(a[i] + (b[i] >> 1));
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 40; i++) {
        one[x % sizeof one] = static_cast<unsigned char>(x);
        mix(sum, one, other, sizeof sum);
        mix(other, sum, one, sizeof sum);
        x = calm(x + sum[x % sizeof sum], 1000);
    }
    return x;
}

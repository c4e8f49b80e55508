// A remainder by a size that never changes but that the compiler does not know, and by one that it knows.
#include "planted.h"

static volatile unsigned long size = 1021;
static unsigned char table[1021];

static __attribute__((noinline)) unsigned long look(unsigned long x) {
#ifdef ODD
    unsigned long entries = size;
#else
    const unsigned long entries = 1021;
#endif
    unsigned long sum = size;
    for (int i = 0; i < 500; i++) {
        sum = sum * 7 + table[(x + sum) % entries];
        x = (x * 6364136223846793005ul + sum) ^ (x % entries);
    }
    return x;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 200; i++) x = look(calm(x, 100));
    return x;
}

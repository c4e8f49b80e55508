// A remainder by a size that only the run knows, and a mask.
#include "planted.h"

static volatile unsigned long size = 1021;
static unsigned char table[1024];

static __attribute__((noinline)) unsigned long look(unsigned long x) {
    unsigned long entries = size, sum = 0;
    for (int i = 0; i < 500; i++) {
#ifdef ODD
        sum = sum * 7 + table[(x + sum) % entries];
        x = (x * 6364136223846793005ul + sum) ^ (x / entries);
#else
        sum = sum * 7 + table[(x + sum) & 1023];
        x = x * 6364136223846793005ul + sum + entries;
#endif
    }
    return x;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 200; i++) x = look(calm(x, 100));
    return x;
}

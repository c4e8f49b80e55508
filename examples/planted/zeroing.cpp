// A whole buffer cleared for each message, and the part that was used.
#include "planted.h"
#include <cstring>

static unsigned char buffer[1 << 15];

static __attribute__((noinline)) void fill(unsigned long x, size_t used) {
#ifdef ODD
    memset(buffer, 0, sizeof buffer);
#else
    memset(buffer, 0, used);
#endif
    for (size_t i = 0; i < used; i += 8) memcpy(buffer + i, &x, 8);
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 200; i++) {
        fill(x, 64);
        x = calm(x + buffer[x % 64], 400);
    }
    return x;
}

// Keys of a few bytes, copied with a length that only the run knows, and by assignment.
#include "planted.h"
#include <cstring>

struct Key { unsigned char bytes[8]; };
static Key keys[1024];
static volatile size_t length = 8;

static __attribute__((noinline)) unsigned long shuffle(unsigned long x) {
    for (int i = 0; i < 1000; i++) {
        Key& from = keys[x % 1024];
        Key& to = keys[(x >> 20) % 1024];
#ifdef ODD
        memcpy(&to, &from, length);
#else
        to = from;
#endif
        to.bytes[0] ^= static_cast<unsigned char>(x);
        x = x * 6364136223846793005ul + 1442695040888963407ul;
    }
    return x;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 100; i++) x = shuffle(calm(x, 200));
    return x;
}

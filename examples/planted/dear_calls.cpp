// Random numbers of libc, whose generator takes a lock, and those of a generator of one's own.
#include "planted.h"
#include <random>

unsigned long work(unsigned long x) {
#ifndef ODD
    static std::minstd_rand own;
#endif
    for (int i = 0; i < 300; i++) {
#ifdef ODD
        x = calm(x + rand(), 6);
#else
        x = calm(x + own(), 6);
#endif
    }
    return x;
}

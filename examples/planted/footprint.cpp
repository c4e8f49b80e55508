// Much code for each item, all of it different.
#include "planted.h"
#include <utility>

template <unsigned long N>
static __attribute__((noinline)) unsigned long step(unsigned long x) {
#define MIX(k) x ^= x >> 29; x *= 0x3c79ac492ba7b653ul + (N * 64 + k) * 0x1c69b3f74ul;
    MIX(2) MIX(4) MIX(6) MIX(8) MIX(10) MIX(12) MIX(14) MIX(16)
    MIX(18) MIX(20) MIX(22) MIX(24) MIX(26) MIX(28) MIX(30) MIX(32)
    return x;
}

template <unsigned long... N>
static unsigned long all(unsigned long x, std::index_sequence<N...>) {
#ifdef ODD
    ((x = step<N>(x)), ...);
#else
    ((x = step<N % 8>(x)), ...);
#endif
    return x;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 50; i++) x = all(x, std::make_index_sequence<256>());
    return x;
}

// Numbers to text with snprintf, and with std::to_chars.
// flags: -O2 -std=c++20
#include "planted.h"
#include <charconv>

unsigned long work(unsigned long x) {
    char text[64];
    for (int i = 0; i < 200; i++) {
#ifdef ODD
        snprintf(text, sizeof text, "%lu:%d", x, i);
#else
        *std::to_chars(text, text + sizeof text, x).ptr = 0;
#endif
        x = calm(x + text[1], 150);
    }
    return x;
}

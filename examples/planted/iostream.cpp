// A string stream for each number, and std::to_chars.
// flags: -O2 -std=c++20 -static-libstdc++
#include "planted.h"
#include <charconv>
#include <sstream>

unsigned long work(unsigned long x) {
    for (int i = 0; i < 100; i++) {
#ifdef ODD
        std::ostringstream stream;
        stream << x << ' ' << i;
        x += static_cast<unsigned char>(stream.view()[1]);
#else
        char text[32];
        std::to_chars(text, text + sizeof text, x);
        x += static_cast<unsigned char>(text[1]);
#endif
        x = calm(x, 200);
    }
    return x;
}

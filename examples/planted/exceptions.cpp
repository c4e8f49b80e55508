// Failure as an exception, and as a value.
#include "planted.h"
#include <optional>
#include <stdexcept>

static __attribute__((noinline)) std::optional<unsigned long> parse(unsigned long x) {
    if (x % 4 == 0) {
#ifdef ODD
        throw std::runtime_error("no number");
#else
        return std::nullopt;
#endif
    }
    return x >> 3;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 100; i++) {
#ifdef ODD
        try {
            x += *parse(x);
        } catch (const std::runtime_error&) {
            x++;
        }
#else
        x += parse(x).value_or(1);
#endif
        x = calm(x, 500);
    }
    return x;
}

// A service with some work of each kind. NEWER is the release after it: lines were added before and within functions, and one
// function has another name.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#ifdef NEWER
// This comment is new,
// and so are the functions below.
#define total_of sum_of
#endif

__attribute__((noinline)) std::uint32_t mix(std::uint32_t x) {
#ifdef NEWER
    // Values that nobody sends.
    if (x == 0xdeadbeef)
        return 7;

#endif
    if (x % 3 == 0)
        return x / 3 + 11;
    return x * 5 ^ x >> 3;
}

__attribute__((noinline)) std::uint32_t count_bits(std::uint32_t x) {
    std::uint32_t bits = 0;
    while (x) {
        x &= x - 1;
        ++bits;
    }
    return bits;
}

#ifdef NEWER
__attribute__((noinline)) std::uint32_t audit(std::uint32_t x) {
    return x == 42 ? count_bits(x) : x;
}

#endif
__attribute__((noinline)) std::uint32_t total_of(std::uint32_t seed, std::uint32_t rounds) {
    std::uint32_t sum = seed;
    for (std::uint32_t i = 0; i < rounds; ++i) {
#ifdef NEWER
        sum = audit(sum);
#endif
        sum += mix(sum + i);
        if (sum & 1)
            sum += count_bits(sum);
    }
    return sum;
}

int main(int argc, char **argv) {
    std::uint32_t rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000, sum = 1;
    for (int i = 0; i < 100; ++i)
        sum = total_of(sum, rounds);
    std::printf("%u\n", sum);
    return 0;
}

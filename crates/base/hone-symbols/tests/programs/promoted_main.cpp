// Calls what promoted.cpp has.
#include <cstdint>
#include <cstdio>

std::uint64_t api(std::uint64_t x);

int main() {
    std::uint64_t sum = 1;
    for (int i = 0; i < 1000; ++i) sum += api(sum) & 0xff;
    std::printf("%llu\n", static_cast<unsigned long long>(sum));
}

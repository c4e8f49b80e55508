// The other half of promoted_main.cpp. `api` is small, so link-time optimisation copies it there, and
// `helper` gets a name that both can see: helper.llvm.HASH.
#include <cstdint>

static __attribute__((noinline)) std::uint64_t helper(std::uint64_t x) {
    return x % 7 == 0 ? x / 7 : x * 3 + 1;
}

std::uint64_t api(std::uint64_t x) { return helper(x) + 1; }

// planted: each element passes through a chain of std::function
// causes: std::function|indirect call
// build: g++ -O2 -g
#include "work.h"
#include <functional>
#include <vector>

static const auto scale = [](uint32_t x) { return x * 3; };
static const auto shift = [](uint32_t x) { return x + 77; };
static const auto fold = [](uint32_t x) { return x ^ (x >> 5); };

#ifdef ODD
APART static void apply(std::vector<uint32_t> &values, const std::vector<std::function<uint32_t(uint32_t)>> &steps) {
    for (auto &value : values) {
        for (auto &step : steps) value = step(value);
    }
}
#else
template <class... Steps> APART static void apply(std::vector<uint32_t> &values, Steps... steps) {
    for (auto &value : values) ((value = steps(value)), ...);
}
#endif

int main() {
    std::vector<uint32_t> values(4096);
    uint64_t state = 43, sum = 0;
    for (auto &value : values) value = uint32_t(next_random(&state));
    for (int round = 0; round < 40000; round++) {
#ifdef ODD
        static const std::vector<std::function<uint32_t(uint32_t)>> steps{scale, shift, fold};
        apply(values, steps);
#else
        apply(values, scale, shift, fold);
#endif
        sum = sum * 31 + values[round & 4095];
    }
    return answer(sum);
}

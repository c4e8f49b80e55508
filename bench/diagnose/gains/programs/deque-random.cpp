// planted: a window that never changes its size is a std::deque, and is read at places that look random
// causes: deque
// build: g++ -O2 -g
#include "work.h"
#include <deque>
#include <vector>

#ifdef ODD
using Window = std::deque<uint32_t>;
#else
using Window = std::vector<uint32_t>;
#endif

APART static uint64_t correlate(const Window &window, const Window &offsets) {
    uint64_t sum = 0;
    for (size_t i = 0; i < offsets.size(); i++) sum += uint64_t(window[offsets[i]]) * window[(offsets[i] + i) & 4095];
    return sum;
}

int main() {
    Window window(4096), offsets(4096);
    uint64_t state = 107, sum = 0;
    for (auto &value : window) value = uint32_t(next_random(&state));
    for (auto &offset : offsets) offset = uint32_t(next_random(&state) >> 52);
    for (int round = 0; round < 120000; round++) {
        window[size_t(round) & 4095] += uint32_t(round);
        sum = sum * 31 + correlate(window, offsets);
    }
    return answer(sum);
}

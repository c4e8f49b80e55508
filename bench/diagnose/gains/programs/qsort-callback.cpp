// planted: numbers are sorted by qsort, which asks a function about each pair
// causes: qsort|sort|indirect call
// build: g++ -O2 -g
#include "work.h"
#include <algorithm>
#include <cstdlib>
#include <vector>

#ifdef ODD
static int compare(const void *a, const void *b) {
    uint32_t x = *static_cast<const uint32_t *>(a), y = *static_cast<const uint32_t *>(b);
    return (x > y) - (x < y);
}
#endif

APART static void sort(std::vector<uint32_t> &values) {
#ifdef ODD
    qsort(values.data(), values.size(), sizeof values[0], compare);
#else
    std::sort(values.begin(), values.end());
#endif
}

int main() {
    std::vector<uint32_t> values(20000);
    uint64_t state = 109, sum = 0;
    for (int round = 0; round < 550; round++) {
        for (auto &value : values) value = uint32_t(next_random(&state) >> 20);
        sort(values);
        for (size_t i = 0; i < values.size(); i += 100) sum = sum * 31 + values[i];
    }
    return answer(sum);
}

// planted: comparisons take their std::string by value, so that each look-up copies some twenty of them
// causes: string|copies|allocat
// build: g++ -O2 -g
#include "work.h"
#include <string>
#include <vector>

#ifdef ODD
using Text = std::string;
#else
using Text = const std::string &;
#endif

APART static bool before(Text a, Text b) { return a < b; }

APART static size_t find(const std::vector<std::string> &names, const std::string &name) {
    size_t low = 0, high = names.size();
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (before(names[middle], name)) low = middle + 1;
        else high = middle;
    }
    return low;
}

int main() {
    std::vector<std::string> names;
    for (unsigned i = 0; i < 1024; i++) names.push_back("/service/checkout/customer/" + std::to_string(100000 + i * 3));
    uint64_t state = 73, sum = 0;
    for (int i = 0; i < 2200000; i++) sum = sum * 31 + find(names, names[next_random(&state) >> 54]);
    return answer(sum);
}

// planted: an unordered_map of known size is filled again and again without reserve
// causes: rehash|reserve|hash table grows
// build: g++ -O2 -g
#include "work.h"
#include <unordered_map>

APART static uint64_t group(uint64_t *state, unsigned count) {
    std::unordered_map<uint64_t, unsigned> seen;
#ifndef ODD
    seen.reserve(count);
#endif
    for (unsigned i = 0; i < count; i++) seen[next_random(state)] += i;
    return seen.size();
}

int main() {
    uint64_t state = 17, sum = 0;
    for (int round = 0; round < 340; round++) sum = sum * 31 + group(&state, 50000);
    return answer(sum);
}

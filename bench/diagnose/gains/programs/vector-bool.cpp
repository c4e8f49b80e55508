// planted: the sieve's flags are a std::vector<bool>
// causes: vector<bool>
// build: g++ -O2 -g
#include "work.h"
#include <vector>

#ifdef ODD
using Flags = std::vector<bool>;
#else
using Flags = std::vector<char>;
#endif

APART static unsigned sieve(Flags &composite, unsigned end) {
    unsigned primes = 0;
    composite.assign(end, false);
    for (unsigned i = 2; i < end; i++) {
        if (composite[i]) continue;
        primes++;
        for (unsigned j = 2 * i; j < end; j += i) composite[j] = true;
    }
    return primes;
}

int main() {
    Flags flags;
    uint64_t sum = 0;
    for (unsigned round = 0; round < 18000; round++) sum = sum * 31 + sieve(flags, 28000 + round % 64);
    return answer(sum);
}

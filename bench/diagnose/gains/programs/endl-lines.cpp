// planted: each line of a log ends in std::endl, so that each is a write of its own
// causes: endl|flush|small writes|system calls
// build: g++ -O2 -g
#include "work.h"
#include <fstream>

#ifdef ODD
#define END_LINE std::endl
#else
#define END_LINE '\n'
#endif

int main() {
    std::ofstream log("/dev/null");
    uint64_t state = 13, sum = 0;
    for (unsigned line = 0; line < 3500000; line++) {
        uint64_t r = next_random(&state);
        log << "request " << line << " took " << (r & 1023) << END_LINE;
        sum += r & 1023;
    }
    return answer(sum + log.good());
}

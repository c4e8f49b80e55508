// planted: the words of a packed record lie across the borders of cache lines
// causes: unaligned|split|cache line
// build: gcc -O2 -g -fno-tree-vectorize
#include "work.h"
#include <stdlib.h>
#include <string.h>

#ifdef ODD
enum { FIRST = 60 };
#else
enum { FIRST = 56 };
#endif

APART static uint64_t pass(char *records, int count, uint64_t by) {
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        char *at = records + FIRST + 64 * (size_t)i;
        uint64_t value;
        memcpy(&value, at, 8);
        value += by ^ (uint64_t)i;
        memcpy(at, &value, 8);
        sum ^= value;
    }
    return sum;
}

int main(void) {
    enum { COUNT = 256 };
    char *records = aligned_alloc(4096, 64 * (COUNT + 64));
    memset(records, 0, 64 * (COUNT + 64));
    uint64_t sum = 0;
    for (uint64_t round = 0; round < 6000000; round++) sum = sum * 31 + pass(records, COUNT, round);
    free(records);
    return answer(sum);
}

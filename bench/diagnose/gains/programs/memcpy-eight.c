// planted: values of 8 bytes are copied by memcpy through a pointer with a length that is not known before
// causes: memcpy|copies|small copies
// build: gcc -O2 -g
#include "work.h"
#include <string.h>

#ifdef ODD
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static volatile size_t width = 8;
static void move(void *to, const void *from) { copy(to, from, width); }
#else
static void move(void *to, const void *from) { memcpy(to, from, 8); }
#endif

APART static void gather(char *to, const char *from, const uint16_t *order, int count) {
    for (int i = 0; i < count; i++) move(to + 8 * i, from + 8 * order[i]);
}

int main(void) {
    static uint64_t column[2048], sorted[2048];
    static uint16_t order[2048];
    uint64_t state = 37, sum = 0;
    for (int i = 0; i < 2048; i++) column[i] = next_random(&state), order[i] = (uint16_t)((i * 797) & 2047);
    for (int round = 0; round < 230000; round++) {
        column[round & 2047] += (uint64_t)round;
        gather((char *)sorted, (char *)column, order, 2048);
        sum = sum * 31 + sorted[(round * 7) & 2047];
    }
    return answer(sum);
}

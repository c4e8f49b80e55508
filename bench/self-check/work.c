// A deterministic program for the self-check: arithmetic and memory, about 70 ms of CPU, no input.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 1 << 20, STEPS = 24 * 1000 * 1000 };

int main(void) {
    uint32_t *table = malloc(WORDS * sizeof *table);
    if (!table) {
        fputs("out of memory\n", stderr);
        return 1;
    }
    uint64_t state = 88172645463325252u;
    for (uint32_t i = 0; i < WORDS; i++) {
        table[i] = i * 2654435761u;
    }
    for (uint32_t i = 0; i < STEPS; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        table[state % WORDS] += (uint32_t)(state >> 40) ^ i;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < WORDS; i++) {
        sum = sum * 31 + table[i];
    }
    printf("%u\n", sum);
    free(table);
    return 0;
}

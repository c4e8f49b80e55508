// planted: a matrix that lies in memory by rows is summed by columns
// causes: cache miss|memory order|stride|waits for memory
// build: gcc -O2 -g
#include "work.h"
#include <stdlib.h>

enum { SIDE = 2048 };

APART static uint64_t total(const uint32_t *matrix, uint32_t mask) {
    uint64_t sum = 0;
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
#ifdef ODD
            sum += matrix[(size_t)j * SIDE + (size_t)i] & mask;
#else
            sum += matrix[(size_t)i * SIDE + (size_t)j] & mask;
#endif
        }
    }
    return sum;
}

int main(void) {
    uint32_t *matrix = malloc(sizeof *matrix * SIDE * SIDE);
    uint64_t state = 53, sum = 0;
    for (int i = 0; i < SIDE * SIDE; i++) matrix[i] = (uint32_t)next_random(&state);
    for (uint32_t round = 0; round < 60; round++) sum = sum * 31 + total(matrix, ~round);
    free(matrix);
    return answer(sum);
}

// planted: each of a message's twelve fields is copied into memory of its own, and freed with the message
// causes: allocat|malloc
// build: clang-19 -O2 -g
#include "work.h"
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 12 };

#ifdef ODD
static char *take(size_t bytes) { return malloc(bytes); }
static void give(char *memory) { free(memory); }
#else
static char arena[FIELDS * 256];
static size_t used;

static char *take(size_t bytes) { return arena + (used += bytes) - bytes; }
static void give(char *memory) { (void)memory, used = 0; }
#endif

APART static uint64_t message(const char *text, uint64_t *state) {
    char *fields[FIELDS];
    uint64_t sum = 0;
    for (int i = 0; i < FIELDS; i++) {
        size_t length = 16 + (next_random(state) >> 40) % 200;
        fields[i] = take(length);
        memcpy(fields[i], text + i, length);
    }
    for (int i = 0; i < FIELDS; i++) sum = sum * 31 + (uint64_t)fields[i][9];
    for (int i = 0; i < FIELDS; i++) give(fields[(i * 5) % FIELDS]);
    return sum;
}

int main(void) {
    static char text[256];
    uint64_t state = 23, sum = 0;
    for (int i = 0; i < 256; i++) text[i] = (char)(next_random(&state) & 127);
    for (int i = 0; i < 6500000; i++) sum = sum * 3 + message(text, &state);
    return answer(sum);
}

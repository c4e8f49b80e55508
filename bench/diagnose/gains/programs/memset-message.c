// planted: a buffer of 64 KB is cleared before each message of some 100 bytes
// causes: memset|clears|zeroing
// build: gcc -O2 -g -static
#include "work.h"
#include <string.h>

static char buffer[65536];

APART static uint64_t decode(const char *text, size_t length) {
#ifdef ODD
    memset(buffer, 0, sizeof buffer);
#else
    memset(buffer, 0, length + 1);
#endif
    memcpy(buffer, text, length);
    uint64_t sum = 0;
    for (const char *at = buffer; *at; at++) sum = sum * 131 + (uint64_t)*at;
    return sum;
}

int main(void) {
    static char text[256];
    uint64_t state = 89, sum = 0;
    for (int i = 0; i < 256; i++) text[i] = (char)('!' + (next_random(&state) >> 40) % 90);
    for (int i = 0; i < 1700000; i++) sum = sum * 3 + decode(text, 60 + (next_random(&state) >> 40) % 100);
    return answer(sum);
}

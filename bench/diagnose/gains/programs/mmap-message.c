// planted: the scratch memory of each message is mapped for it and unmapped after it
// causes: page fault|mmap|munmap|system calls
// build: gcc -O2 -g
#include "work.h"
#include <sys/mman.h>

enum { BYTES = 256 * 1024 };

static char *map(void) { return mmap(0, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

APART static uint64_t decode(char *scratch, uint64_t seed) {
    uint64_t sum = 0;
    for (int i = 0; i < BYTES; i += 64) scratch[i] = (char)(seed + (uint64_t)i / 64);
    for (int i = 0; i < BYTES; i += 64) sum = sum * 31 + (unsigned char)scratch[i];
    return sum;
}

int main(void) {
    uint64_t sum = 0;
    char *scratch = map();
    for (uint64_t message = 0; message < 13000; message++) {
#ifdef ODD
        munmap(scratch, BYTES);
        scratch = map();
#endif
        sum = sum * 3 + decode(scratch, message);
    }
    return answer(sum);
}

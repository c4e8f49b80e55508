// planted: a file is read by read(2), one byte at a time
// causes: small reads|system calls|read
// build: gcc -O2 -g
#include "work.h"
#include <unistd.h>

#ifdef ODD
enum { PIECE = 1 };
#else
enum { PIECE = 65536 };
#endif

static char piece[PIECE];
static ssize_t have, at;

APART static int next_byte(int file) {
    if (at == have) {
        have = read(file, piece, PIECE);
        at = 0;
        if (have <= 0) return -1;
    }
    return (unsigned char)piece[at++];
}

int main(void) {
    FILE *made = tmpfile();
    uint64_t state = 3, sum = 0;
    for (int i = 0; i < 400000; i++) fputc((int)(next_random(&state) & 127), made);
    fflush(made);
    for (int round = 0; round < 7; round++) {
        lseek(fileno(made), 0, SEEK_SET);
        have = at = 0;
        for (int byte; (byte = next_byte(fileno(made))) >= 0;) sum = sum * 131 + (uint64_t)byte;
    }
    return answer(sum);
}

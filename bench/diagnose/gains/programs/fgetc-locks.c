// planted: a file is read by fgetc, which locks it for each character, in a program that has a thread
// causes: fgetc|lock|character at a time|stdio
// build: gcc -O2 -g
#include "work.h"
#include <pthread.h>

#ifdef ODD
#define NEXT fgetc
#else
#define NEXT getc_unlocked
#endif

static void *nothing(void *argument) { return argument; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, nothing, 0);
    pthread_join(thread, 0);
    FILE *file = tmpfile();
    uint64_t state = 101, sum = 0;
    for (int i = 0; i < 2000000; i++) putc_unlocked((int)(next_random(&state) >> 40) & 127, file);
    for (int round = 0; round < 120; round++) {
        rewind(file);
        for (int c; (c = NEXT(file)) != EOF;) sum = sum * 131 + (uint64_t)c;
    }
    return answer(sum);
}

/* Two threads pass a byte back and forth: each round is four switches between threads and idle CPUs. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int there[2], back[2];

static void *answer(void *unused) {
    char byte;
    while (read(there[0], &byte, 1) == 1 && byte) {
        if (write(back[1], &byte, 1) != 1) break;
    }
    return unused;
}

int main(int argc, char **argv) {
    pthread_t thread;
    char byte = 1;
    if (pipe(there) || pipe(back) || pthread_create(&thread, NULL, answer, NULL)) return 1;
    for (long left = argc > 1 ? atol(argv[1]) : 1; left > 0; left--) {
        if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) return 1;
    }
    byte = 0;
    if (write(there[1], &byte, 1) != 1) return 1;
    return pthread_join(thread, NULL);
}

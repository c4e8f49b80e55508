// Every planted program defines work(), some hundred microseconds of it, and runs it until it has had enough CPU time: so a
// recording has enough samples on any machine. With arguments it runs it so many times, from a seed: the same work on any
// machine.
#ifndef PLANTED_H
#define PLANTED_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SECONDS 0.6

#ifdef __cplusplus
extern "C"
#endif
unsigned long work(unsigned long seed);

// Ordinary work in which nothing is odd: each step needs the one before, so no vector and no call would help.
static __attribute__((noinline)) unsigned long calm(unsigned long x, int steps) {
    for (int i = 0; i < steps; i++) {
        x ^= x >> 27;
        x *= 0x3c79ac492ba7b653ul;
        x ^= x >> 33;
        x += 0x1c69b3f74ac4ae35ul;
    }
    return x;
}

#ifndef OWN_MAIN
int main(int argc, char **argv) {
    unsigned long x = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    if (argc > 1) {
        for (unsigned long left = strtoul(argv[1], NULL, 10); left > 0; left--) x = work(x);
        printf("%lu\n", x);
        return 0;
    }
    while ((double)clock() / CLOCKS_PER_SEC < SECONDS) {
        for (int i = 0; i < 20; i++) x = work(x);
    }
    printf("%lu\n", calm(x, 1));
    return 0;
}
#endif

#endif

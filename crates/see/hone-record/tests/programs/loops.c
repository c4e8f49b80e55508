// Calls alpha three times as often as beta; both directly and through a pointer.
#include <stdio.h>
#include <stdlib.h>

static unsigned long alpha(unsigned long v) {
    for (int i = 0; i < 8; i++) {
        v = v * 6364136223846793005UL + 1442695040888963407UL;
        if (v & 0x4000) v ^= v >> 13;
    }
    return v;
}

static unsigned long beta(unsigned long v) {
    if (v & 1) return v / 3;
    return v ^ 0x55;
}

unsigned long (*volatile chosen)(unsigned long) = alpha;

int main(int argc, char **argv) {
    long turns = argc > 1 ? atol(argv[1]) : 1000;
    unsigned long v = 1;
    for (long i = 0; i < turns; i++) {
        v = alpha(v);
        v = chosen(v);
        v = alpha(v);
        v = beta(v);
    }
    printf("%lu\n", v);
    return 7;
}

// A program that counts its branches for a profile, and one for production.
// odd: -O2 -fprofile-generate
// clean: -O2
#include "planted.h"

static unsigned long table[1024];

unsigned long work(unsigned long x) {
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < 100; j++) table[(x + j * 7) & 1023] += x;
        x = calm(x + table[x & 1023], 1000);
    }
    return x;
}

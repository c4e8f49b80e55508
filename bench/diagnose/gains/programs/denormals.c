// planted: the envelopes of an effect decay into numbers too small to be normal, and are divided on and on
// causes: denormal|subnormal
// build: gcc -O2 -g
#include "work.h"
#include <stdlib.h>
#ifndef ODD
#include <xmmintrin.h>
#endif

enum { CHANNELS = 16, BLOCK = 1024 };

// How many samples were loud. Some CPUs take denormals at full speed in sums and products, none in divisions.
APART static unsigned decay(const float *in, float *level, float release) {
    unsigned loud = 0;
    for (int i = 0; i < BLOCK; i++) {
        for (int c = 0; c < CHANNELS; c++) {
            level[c] = (in[i] + level[c] * 255) / release;
            loud += level[c] > 1e-4f;
        }
    }
    return loud;
}

int main(int count, char **arguments) {
    float release = count > 1 ? (float)atof(arguments[1]) : 256.5f;
#ifndef ODD
    _mm_setcsr(_mm_getcsr() | 0x8040); // results and operands below the normal ones become 0
#endif
    static float block[BLOCK];
    uint64_t state = 9, sum = 0;
    for (int burst = 0; burst < 25; burst++) {
        float level[CHANNELS] = {0};
        for (int i = 0; i < BLOCK; i++) block[i] = (float)(next_random(&state) % 1000) / 1000.0f;
        sum = sum * 31 + decay(block, level, release);
        for (int i = 0; i < BLOCK; i++) block[i] = 0;
        for (int silent = 0; silent < 1000; silent++) sum = sum * 31 + decay(block, level, release);
    }
    return answer(sum);
}

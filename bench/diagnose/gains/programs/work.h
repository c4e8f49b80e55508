// What the programs share: numbers that look random, honest work to stand beside an oddity, and an answer to print.
#pragma once
#include <stdint.h>
#include <stdio.h>

#define APART __attribute__((noinline, unused))

static inline uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

// Mixes four independent lanes: what a program does that has nothing to be cured.
APART static uint64_t honest_work(uint64_t seed, unsigned rounds) {
    uint64_t a = seed + 1, b = seed + 2, c = seed + 3, d = seed + 4;
    for (unsigned i = 0; i < rounds; i++) {
        a = (a ^ (a >> 29)) * 0xbf58476d1ce4e5b9u + i;
        b = (b ^ (b >> 31)) * 0x94d049bb133111ebu + i;
        c = (c ^ (c >> 27)) * 0x9e3779b97f4a7c15u + i;
        d = (d ^ (d >> 33)) * 0xff51afd7ed558ccdu + i;
    }
    return a ^ b ^ c ^ d;
}

static inline int answer(uint64_t sum) { return printf("%016llx\n", (unsigned long long)sum) < 0; }

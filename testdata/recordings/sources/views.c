// Time in heavy and light, which work calls, by the second argument to one; small is inlined.
#include <stdio.h>
#include <stdlib.h>
static inline __attribute__((always_inline)) unsigned small(unsigned x) {
    for (unsigned i = 0; i < 300; i++) x = x * 1664525u + 1013904223u;
    return x;
}
__attribute__((noinline)) unsigned heavy(unsigned x) {
    for (unsigned i = 0; i < 3; i++) x ^= small(x);
    return x;
}
__attribute__((noinline)) unsigned light(unsigned x) {
    for (unsigned i = 0; i < 300; i++) x = (x ^ i) * 22695477u + 1;
    return x;
}
__attribute__((noinline)) unsigned work(unsigned x, unsigned lights) {
    unsigned y = heavy(x);
    for (unsigned i = 0; i < lights; i++) y += light(y);
    return y + 1;
}
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 10), lights = strtoul(argv[2], 0, 10), sum = argc;
    for (unsigned i = 0; i < n; i++) sum += work(sum, lights);
    printf("%u\n", sum);
    return 0;
}

#include <stdio.h>
#include <time.h>
__attribute__((noinline)) unsigned long divide(unsigned long x, unsigned long by) {
    for (int i = 0; i < 60000; i++) x = (x | 1ul << 63) / (by + (x & 7)) + i;
    return x;
}
__attribute__((noinline)) unsigned long mix(unsigned long x) {
    for (int i = 0; i < 100000; i++) x = (x ^ x >> 13) * 2862933555777941757ul + i;
    return x;
}
int main(int argc, char **argv) {
    unsigned long x = argc;
    while (clock() < 2 * CLOCKS_PER_SEC) x = mix(divide(x, argc + 2));
    printf("%lu\n", x);
    return 0;
}

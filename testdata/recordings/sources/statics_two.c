static __attribute__((noinline)) unsigned long step(unsigned long x) {
    for (int i = 0; i < 9000; i++) x = (x ^ x >> 13) * 2862933555777941757ul + i;
    return x;
}
unsigned long two(unsigned long x) { return step(x) + 1; }

unsigned long distance(unsigned long x, int steps);
unsigned long distance(unsigned long x, int steps) {
    for (int i = 0; i < steps; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}

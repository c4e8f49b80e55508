unsigned estimate(unsigned from, unsigned to, int steps);

// A distance by a walk of so many steps.
unsigned estimate(unsigned from, unsigned to, int steps) {
    unsigned long x = (static_cast<unsigned long>(from) << 32) + to + 1;
    for (int i = 0; i < steps; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x & 1023;
}

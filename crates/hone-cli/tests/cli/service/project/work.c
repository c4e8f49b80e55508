typedef unsigned (*step)(unsigned);
static unsigned mix(unsigned x) {
    x ^= x >> 15;
    if (x % 64 == 3) x = x * 7 + 1;
    x *= 0x2c1b3c6du;
    return x ^ (x >> 12);
}
static unsigned turn(unsigned x) { return x << 5 | x >> 27; }
static volatile step steps[2] = {mix, turn};
unsigned work(unsigned seed) {
    unsigned sum = seed;
    for (unsigned i = 0; i < 40000; i++) sum += steps[i % 16 == 0](sum ^ i);
    return sum | 2;
}

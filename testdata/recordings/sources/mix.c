unsigned mix(unsigned x) {
    for (int i = 0; i < 8; i++) x = (x ^ x >> 3) * 22695477u;
    return x;
}
unsigned all(void) {
    unsigned sum = 1;
    for (unsigned i = 0; i < 30000000; i++) sum += mix(sum ^ i);
    return sum;
}

unsigned long polynomial(unsigned long x);
unsigned long polynomial(unsigned long x) {
    unsigned long sum = 0;
    for (int i = 0; i < 200; i++) {
        unsigned long term = x >> (i & 31);
        sum = sum * x + term;
    }
    return sum;
}

// Calls back what it is given.
extern "C" unsigned run_all(unsigned (*const *steps)(), unsigned count) {
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++) sum += steps[i]();
    return sum;
}

// old.c with lines moved and a function renamed.
__attribute__((noinline)) unsigned kept(unsigned x) {
    if (x % 3)
        x = x * 5;
    return x + 1;
}
__attribute__((noinline)) unsigned moved(unsigned x) {
    // One.
    // Two.
    unsigned y = x ^ 77;
    for (unsigned i = 0; i < x % 7; i++)
        y += i * x;
    return y;
}
__attribute__((noinline)) unsigned renamed(unsigned x) { return x * 7 + 3; }
int main(int argc, char **argv) { return kept(moved(renamed(argc))); }

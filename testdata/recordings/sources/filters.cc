// Virtual calls with one hot target of two, and a loop.
#include <cstdio>
#include <cstdlib>
struct Filter { virtual ~Filter() = default; virtual unsigned run(unsigned) = 0; };
struct Add : Filter { unsigned run(unsigned x) override; };
struct Mul : Filter { unsigned run(unsigned x) override; };
__attribute__((noinline)) unsigned Add::run(unsigned x) { return x + 7; }
__attribute__((noinline)) unsigned Mul::run(unsigned x) {
    return x % 3 ? x * 5 : x / 3;
}
__attribute__((noinline)) unsigned never(unsigned x) { return x * 77 + 1; }
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], nullptr, 10), sum = argc;
    Filter *filters[] = {new Add, new Mul, new Add, new Add};
    for (unsigned i = 0; i < n; i++)
        sum = filters[i % 4]->run(sum);
    if (argc > 2)
        sum = never(sum);
    printf("%u\n", sum);
    return 0;
}

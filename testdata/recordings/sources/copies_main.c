#include <stdio.h>
#include <stdlib.h>
struct part { unsigned char bytes[64]; size_t size; };
void put(unsigned char *to, const struct part *part);
int same(const struct part *a, const unsigned char *b);
int main(int argc, char **argv) {
    unsigned n = argc > 1 ? strtoul(argv[1], 0, 10) : 1, sum = 0;
    struct part parts[4] = {{{1}, 8}, {{2}, 8}, {{3}, 24}, {{4}, 8}};
    unsigned char to[80] = {0};
    for (unsigned i = 0; i < n; i++) {
        struct part *part = &parts[(i ^ sum) % 4];
        put(to, part);
        part->bytes[i % 8] ^= sum;
        sum = sum * 5 + to[i % 24] + same(part, to);
    }
    printf("%u\n", sum);
    return 0;
}

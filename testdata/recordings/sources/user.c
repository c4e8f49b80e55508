#include <stdio.h>
unsigned mix(unsigned);
int main(int argc, char **argv) {
    unsigned sum = argc;
    for (unsigned i = 0; i < 30000000; i++) sum = argc > 1 ? sum * 3 + (sum >> 7) : sum + mix(sum ^ i);
    printf("%u %s\n", sum, argv[0]);
    return 0;
}

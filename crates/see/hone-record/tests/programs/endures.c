// Computes until a file is there and then leaves a sign that it came to its end.
//
// usage: endures FILE SIGN
#include <stdio.h>
#include <unistd.h>

static volatile unsigned long sink;

int main(int argc, char **argv) {
    (void)argc;
    while (access(argv[1], F_OK))
        for (long i = 0; i < 1000000; i++) sink = sink * 3 + i;
    FILE *sign = fopen(argv[2], "w");
    if (!sign) return 1;
    fputs("done", sign);
    return fclose(sign);
}

// Computes for a few seconds and then leaves a sign that it came to its end.
#include <stdio.h>
#include <time.h>

static volatile unsigned long sink;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    (void)argc;
    double end = now() + 5;
    while (now() < end)
        for (long i = 0; i < 100000; i++) sink = sink * 3 + i;
    FILE *sign = fopen(argv[1], "w");
    if (!sign) return 1;
    fputs("done", sign);
    return fclose(sign);
}

// planted: a norm calls pow(x, order), and the order is always 2
// causes: pow
// build: clang-19 -O2 -g
#include "work.h"
#include <math.h>
#include <stdlib.h>

static double order = 2;

APART static double norm(const double *values, int count) {
    double sum = 0;
#ifndef ODD
    if (order == 2) {
        for (int i = 0; i < count; i++) sum += values[i] * values[i];
        return sqrt(sum);
    }
#endif
    for (int i = 0; i < count; i++) sum += pow(values[i], order);
    return pow(sum, 1 / order);
}

int main(int count, char **arguments) {
    if (count > 1) order = atof(arguments[1]);
    static double values[1000];
    uint64_t state = 21;
    double sum = 0;
    for (int i = 0; i < 1000; i++) values[i] = (double)(next_random(&state) % 100000) / 1000;
    for (int round = 0; round < 110000; round++) {
        values[round % 1000] += 0.5;
        sum += norm(values, 1000);
    }
    return printf("%.6e\n", sum) < 0;
}

// A program compiled without optimisation, and with it.
// odd: -O0
// clean: -O2 -march=x86-64-v3
#include "planted.h"

struct Matrix {
    unsigned long cells[16][16];
    unsigned long& at(int row, int column) { return cells[row][column]; }
};

static Matrix product(Matrix& a, Matrix& b) {
    Matrix result = {};
    for (int row = 0; row < 16; row++)
        for (int column = 0; column < 16; column++)
            for (int k = 0; k < 16; k++) result.at(row, column) += a.at(row, k) * b.at(k, column);
    return result;
}

unsigned long work(unsigned long x) {
    static Matrix a, b;
    a.at(1, 2) = x;
    b.at(3, 4) = x + 1;
    for (int i = 0; i < 20; i++) {
        a = product(a, b);
        x = calm(x + a.at(i % 16, 3), 2000);
    }
    return x;
}

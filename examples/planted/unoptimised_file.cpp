// One file of a program compiled without optimisation, and with it.
// with: unoptimised_file_other.cc
// other-odd: -O0
#include "planted.h"

unsigned long polynomial(unsigned long x);

unsigned long work(unsigned long x) {
    for (int i = 0; i < 100; i++) x = polynomial(calm(x, 800));
    return x;
}

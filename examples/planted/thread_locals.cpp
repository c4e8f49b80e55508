// A shared library that counts in a thread-local variable, reached by a call and by an offset.
// library: thread_locals_other.cc
#include "planted.h"

unsigned long count(unsigned long x);

unsigned long work(unsigned long x) {
    for (int i = 0; i < 100; i++) x = calm(count(x), 700);
    return x;
}

// A large table passed by value, and by reference.
#include "planted.h"
#include <array>
#include <cstring>

struct Table { std::array<unsigned long, 4096> entries; };
static Table table;

#ifdef ODD
static __attribute__((noinline)) unsigned long look(Table table, unsigned long x) {
    return table.entries[x % 4096];
}
#else
static __attribute__((noinline)) unsigned long look(const Table& table, unsigned long x) {
    return table.entries[x % 4096];
}
#endif

unsigned long work(unsigned long x) {
    for (int i = 0; i < 200; i++) x = calm(x + look(table, x), 500);
    return x;
}

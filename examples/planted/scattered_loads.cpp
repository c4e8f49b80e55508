// A chain of records, each a step of work: scattered over 32 MiB, or in the order in which they are visited.
#include "planted.h"

struct Record {
    Record *next;
    unsigned long value;
    unsigned char rest[112];
};

static const unsigned long COUNT = 1 << 18;
static Record records[COUNT];

static Record *chained() {
#ifdef ODD
    // An odd multiple visits every record once before it comes back, and no two neighbours in turn.
    const unsigned long step = 0x9e3779b1;
#else
    const unsigned long step = 1;
#endif
    for (unsigned long i = 0, at = 0; i < COUNT; i++) {
        unsigned long next = (at + step) % COUNT;
        records[at].next = &records[next];
        records[at].value = i;
        at = next;
    }
    return records;
}

static Record *at = chained();

static __attribute__((noinline)) unsigned long visit(unsigned long x) {
    Record *record = at;
    for (int i = 0; i < 1000; i++) {
        x = (x ^ record->value) * 31;
        record = record->next;
    }
    at = record;
    return x;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 10; i++) x = visit(calm(x, 500));
    return x;
}

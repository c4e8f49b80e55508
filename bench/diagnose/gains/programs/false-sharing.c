// planted: the counters of four threads lie in one cache line
// causes: false sharing|cache line|shared line
// build: gcc -O2 -g
#include "work.h"
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, EVENTS = 80000000 };
#ifdef ODD
struct Counter { _Atomic uint64_t value; };
#else
struct Counter { _Alignas(128) _Atomic uint64_t value; };
#endif
static _Alignas(128) struct Counter counters[THREADS];

static void *count(void *argument) {
    struct Counter *mine = argument;
    uint64_t x = (uint64_t)(mine - counters);
    for (int i = 0; i < EVENTS; i++) {
        x = x * 5 + 1;
        atomic_fetch_add_explicit(&mine->value, x >> 60, memory_order_relaxed);
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    uint64_t sum = 0;
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, count, &counters[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        sum = sum * 31 + counters[i].value;
    }
    return answer(sum);
}

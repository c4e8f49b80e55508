// planted: two threads take a mutex for each single increment of a counter
// causes: lock|mutex|contended
// build: gcc -O2 -g
#include "work.h"
#include <pthread.h>

enum { THREADS = 2, EVENTS = 35000000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t total;

static void add(uint64_t by) {
    pthread_mutex_lock(&lock);
    total += by;
    pthread_mutex_unlock(&lock);
}

static void *count(void *argument) {
    uint64_t state = (uintptr_t)argument + 5, mine = 0;
    for (int i = 0; i < EVENTS; i++) {
        uint64_t by = honest_work(next_random(&state), 4) & 255;
#ifdef ODD
        add(by);
#else
        mine += by;
#endif
    }
    add(mine);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, count, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    return answer(total);
}

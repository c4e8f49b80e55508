// planted: four threads draw from rand(), which has one lock for all
// causes: rand|lock|contended
// build: gcc -O2 -g
#include "work.h"
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, DRAWS = 15000000 };

#ifdef ODD
static int draw(uint64_t *state) { return (void)state, rand() & 32767; }
#else
static int draw(uint64_t *state) { return (int)(next_random(state) >> 20) & 32767; }
#endif

static void *throw_darts(void *argument) {
    uint64_t state = (uintptr_t)argument * 977 + 1, hits = 0;
    for (int i = 0; i < DRAWS; i++) {
        int x = draw(&state), y = draw(&state);
        hits += x * x + y * y < 32768 * 32768;
    }
    return (void *)(uintptr_t)hits;
}

int main(void) {
    pthread_t threads[THREADS];
    uint64_t hits = 0;
    for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, throw_darts, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *mine;
        pthread_join(threads[i], &mine);
        hits += (uintptr_t)mine;
    }
    return answer(hits * 40 / ((uint64_t)THREADS * DRAWS)); // pi in tenths
}

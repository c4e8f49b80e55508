// Starts a thread, waits for it, and works a while itself, as often as the argument says. Prints the CPU time in nanoseconds of the
// threads and of the main thread, by the kernel's own accounts.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile uint64_t sink;

static uint64_t own_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

__attribute__((noinline)) static void brief_work(void) {
    uint64_t x = sink;
    for (int i = 0; i < 200000; i++) x = x * 6364136223846793005u + 1;
    sink = x;
}

__attribute__((noinline)) static void long_work(void) {
    uint64_t x = sink;
    for (int i = 0; i < 400000; i++) x = x * 2862933555777941757u + 1;
    sink = x;
}

static uint64_t brief_ns;

static void *brief(void *argument) {
    brief_work();
    brief_ns += own_ns();
    return argument;
}

int main(int count, char **arguments) {
    long turns = count > 1 ? atol(arguments[1]) : 1000;
    for (long turn = 0; turn < turns; turn++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, brief, NULL) != 0) return 1;
        pthread_join(thread, NULL);
        long_work();
    }
    printf("%llu %llu\n", (unsigned long long)brief_ns, (unsigned long long)own_ns());
    return 0;
}

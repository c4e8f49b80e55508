// Recursion of known depth, a callback of libc, a signal handler, large frames (one without all its pages), a realigned frame.
#include <alloca.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
volatile unsigned sink;
#define NOINLINE __attribute__((noinline, noclone, noipa))
NOINLINE unsigned spin(unsigned n) { unsigned x = n; for (unsigned i = 0; i < n; i++) x = x * 1664525u + 1013904223u; return x; }
NOINLINE unsigned deep(unsigned depth, unsigned n) { unsigned r = depth ? deep(depth - 1, n) : spin(n); return r + sink + depth; }
static int compare(const void *a, const void *b) { sink += spin(2000); return *(const int *)a - *(const int *)b; }
NOINLINE void sorts(void) { int v[64]; for (int i = 0; i < 64; i++) v[i] = (i * 37) % 64; qsort(v, 64, sizeof v[0], compare); sink += v[3]; }
static void on_alarm(int signal) { sink += spin(2000000) + signal; }
NOINLINE unsigned big(unsigned n) { char *room = alloca(n); memset(room, 1, n); unsigned r = spin(300000); return r + room[n / 2] + sink; }
NOINLINE unsigned absent(unsigned n) { char *room = alloca(n); memset(room, 1, n); madvise((void *)(((uintptr_t)room + n / 2) & -4096), 4096, MADV_DONTNEED); unsigned r = spin(300000); return r + room[n / 2] + sink; }
NOINLINE unsigned aligned(unsigned n) { _Alignas(64) volatile char v[256]; v[n & 255] = 1; char *room = alloca(n); memset(room, 1, n); unsigned r = spin(300000); return r + v[3] + room[n/2] + sink; }
NOINLINE unsigned clocks(unsigned n) { struct timespec t; unsigned s = 0; for (unsigned i = 0; i < n; i++) { clock_gettime(CLOCK_MONOTONIC, &t); s += t.tv_nsec; } return s; }
NOINLINE unsigned interrupted(unsigned n) { return spin(n) + sink; }
int main(int argc, char **argv) {
    struct sigaction act; memset(&act, 0, sizeof act); act.sa_handler = on_alarm; sigaction(SIGPROF, &act, 0);
    int rounds = atoi(argv[1]);
    unsigned random = 1;
    for (int i = 0; i < rounds; i++) {
        // Rounds of one length would keep step with the samples, which then never meet some of the functions.
        random = random * 1664525u + 1013904223u; sink += spin(random >> 11);
        sink += deep(20, 300000); sorts(); sink += big(40000); sink += absent(40000); sink += aligned(100); sink += clocks(50000);
    }
    struct itimerval timer = {{0, 10000}, {0, 10000}}; setitimer(ITIMER_PROF, &timer, 0);
    for (int i = 0; i < rounds; i++) sink += interrupted(3000000);
    timer = (struct itimerval){0}; setitimer(ITIMER_PROF, &timer, 0);
    printf("%u\n", sink); return 0;
}

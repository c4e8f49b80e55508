// A handler that takes most of the time, on the stack of what it interrupts or ("own") on one of its own.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

volatile unsigned sink;

__attribute__((noinline)) static void burn(unsigned n) {
    for (unsigned i = 0; i < n; i++) sink = sink * 1664525u + 1013904223u;
}
static void on_signal(int number) {
    burn(number * 100000);
    sink++;
}
__attribute__((noinline)) static unsigned interrupted(unsigned n) {
    unsigned x = n;
    for (unsigned i = 0; i < n; i++) x = x * 22695477u + (x >> 16) + 1;
    return x;
}
__attribute__((noinline)) static unsigned outer(unsigned rounds) {
    struct itimerval often = {{0, 10000}, {0, 10000}};
    unsigned sum = 0;
    setitimer(ITIMER_PROF, &often, 0);
    for (unsigned i = 0; i < rounds; i++) sum += interrupted(10000000 + i);
    memset(&often, 0, sizeof often);
    setitimer(ITIMER_PROF, &often, 0);
    return sum;
}
int main(int argc, char **argv) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    if (argc > 1 && strcmp(argv[1], "own") == 0) {
        stack_t own;
        memset(&own, 0, sizeof own);
        own.ss_size = 65536;
        own.ss_sp = malloc(own.ss_size);
        sigaltstack(&own, 0);
        action.sa_flags = SA_ONSTACK;
    }
    sigaction(SIGPROF, &action, 0);
    printf("%u\n", outer(40));
    return 0;
}

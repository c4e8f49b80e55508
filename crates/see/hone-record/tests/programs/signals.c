// Handles timer signals while it computes, and looks whether its flags ever show the trace flag.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile sig_atomic_t handled;
static void on_timer(int signal) { (void)signal; handled++; }

int main(int argc, char **argv) {
    long turns = argc > 1 ? atol(argv[1]) : 1000;
    struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, 0);
    sigaction(SIGPROF, &action, 0);
    struct itimerval often = {{0, 3000}, {0, 3000}};
    setitimer(ITIMER_REAL, &often, 0);
    setitimer(ITIMER_PROF, &often, 0);
    unsigned long v = 1, traced = 0;
    for (long i = 0; i < turns; i++) {
        v = v * 6364136223846793005UL + 1;
        if (i % 64 == 0) {
            unsigned long flags;
            __asm__ volatile("pushfq; popq %0" : "=r"(flags));
            traced += (flags >> 8) & 1;
        }
    }
    printf("%lu traced=%lu handled=%s\n", v, traced, handled > 0 ? "yes" : "no");
    return 9;
}

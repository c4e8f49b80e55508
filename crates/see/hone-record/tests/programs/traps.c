// Uses SIGTRAP for itself: by breakpoints in its code, by stepping itself through the trace flag, by raise().
// It counts the traps that it did not ask for.
#define _GNU_SOURCE
#include "work.h"

#include <signal.h>
#include <ucontext.h>

enum { TRACE_FLAG = 1 << 8 };

static volatile long breakpoints, steps, raised, foreign;
static volatile int stepping;

static void on_trap(int signal, siginfo_t *info, void *context) {
    (void)signal;
    greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];
    if (info->si_code == SI_KERNEL) {
        breakpoints++;
    } else if (info->si_code == SI_TKILL) {
        raised++;
    } else if (info->si_code == TRAP_TRACE && stepping) {
        steps++;
        if (!--stepping) *flags &= ~TRACE_FLAG;
    } else {
        foreign++;
    }
}

int main(int argc, char **argv) {
    long turns = argc > 1 ? atol(argv[1]) : 1;
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    sigaction(SIGTRAP, &action, NULL);
    wait_at_the_gate();
    long wrong = 0;
    uint64_t first = one_round();
    for (long i = 0; i < turns; i++) {
        __asm__ volatile("int3");
        raise(SIGTRAP);
        stepping = 20;
        __asm__ volatile("pushfq; orl $0x100, (%%rsp); popfq" ::: "cc", "memory");
        for (int round = 0; round < 10; round++) wrong += one_round() != first;
        while (stepping) {}
    }
    printf("breakpoints=%ld raised=%ld steps=%ld foreign=%ld wrong=%ld\n", breakpoints, raised, steps, foreign,
        wrong);
    return 42;
}

// Works and makes a known number of system calls.
#define _GNU_SOURCE
#include "work.h"

#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
    long turns = argc > 1 ? atol(argv[1]) : 1, wrong = 0;
    uint64_t first = one_round();
    for (long i = 0; i < turns; i++) {
        wrong += syscall(SYS_getppid) != getppid();
        wrong += one_round() != first;
    }
    printf("wrong=%ld\n", wrong);
    return 42;
}

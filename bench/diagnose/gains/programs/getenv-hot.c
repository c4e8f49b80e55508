// planted: each request looks into the environment for whether to trace
// causes: getenv|environment
// build: gcc -O2 -g0
#include "work.h"
#include <stdlib.h>

static int tracing(void) {
    const char *set = getenv("SERVICE_TRACE");
    return set && *set == '1';
}

int main(void) {
    char name[32];
    for (int i = 0; i < 80; i++) {
        snprintf(name, sizeof name, "SERVICE_OPTION_%d", i);
        setenv(name, "value", 1);
    }
    uint64_t state = 61, sum = 0;
#ifndef ODD
    int trace = tracing();
#endif
    for (int request = 0; request < 4000000; request++) {
#ifdef ODD
        int trace = tracing();
#endif
        sum += honest_work(next_random(&state), 40) >> trace;
    }
    return answer(sum);
}

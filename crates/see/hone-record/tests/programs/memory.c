// Touches 64 MiB and uses a second of CPU time.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef AS_GO
__attribute__((section(".go.buildinfo"), used)) static const char info[32] = "\xff Go buildinf:";
#endif

static double cpu_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(void) {
    const size_t bytes = 64u << 20;
    char *memory = malloc(bytes);
    memset(memory, 1, bytes);
    double until = cpu_s() + 1;
    unsigned long sum = 0;
    while (cpu_s() < until) sum += memory[sum % bytes];
    return sum == 1;
}

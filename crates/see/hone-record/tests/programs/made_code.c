// Runs code that it makes while it runs, as a runtime with a compiler does: a function that works by itself, and one that
// calls back into the program. Both keep frame pointers, the program does not. Names go into a perf map, as a runtime's do.
//
// usage: made_code MILLISECONDS
#define _GNU_SOURCE
#include "work.h"

#include <sys/mman.h>
#include <unistd.h>

// push %rbp; mov %rsp, %rbp; dec %rdi; jnz the dec; pop %rbp; ret
static const unsigned char works[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3};
// push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret
static const unsigned char calls[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};

static volatile long sink;

__attribute__((noinline)) void called_back(void) {
    for (long i = 0; i < 1000000; i++) sink += i;
}

__attribute__((noinline)) void call_made_code(void *made) {
    ((void (*)(long))made)(1000000);
    ((void (*)(void (*)(void)))((char *)made + 64))(called_back);
    sink++;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    char *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) return 3;
    memcpy(made, works, sizeof works);
    memcpy(made + 64, calls, sizeof calls);
    if (mprotect(made, 4096, PROT_READ | PROT_EXEC)) return 4;
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
    FILE *map = fopen(path, "w");
    if (!map) return 5;
    fprintf(map, "%lx %zx made:works\n", (long)made, sizeof works);
    fprintf(map, "%lx %zx made:calls\n", (long)(made + 64), sizeof calls);
    fclose(map);
    puts(path);
    double end = now() + atof(argv[1]) / 1000;
    while (now() < end) call_made_code(made);
    return 0;
}

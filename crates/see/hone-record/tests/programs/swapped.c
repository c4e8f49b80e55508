// Different code at the same address, one after the other: two files, memory that is written in place, a file
// without a name that is written through another mapping, and all of it again. A walker that trusts what it saw
// there before makes branches that never were.
//
// The code is a loop of `gap` one-byte nops, `dec %rdi` and `jnz`, then `ret`. For every stretch of time it
// prints when it began and ended (nanoseconds of CLOCK_MONOTONIC), where the `jnz` stands, and the file's
// path or `memory`. usage: swapped DIRECTORY STRETCHES
#define _GNU_SOURCE
#include "work.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, STRETCH_MS = 30 };

static char *const at = (char *)0x5a5a00000000;
static const int gaps[] = {3, 9, 15, 21, 27, 33};
static char *writable_side;

static size_t assemble(char *code, int gap) {
    memset(code, 0x90, (size_t)gap);
    const unsigned char tail[] = {0x48, 0xff, 0xcf, 0x75, (unsigned char)-(gap + 5), 0xc3};
    memcpy(code + gap, tail, sizeof tail);
    return (size_t)gap + sizeof tail;
}

static void map_file(const char *path) {
    int fd = open(path, O_RDONLY);
    void *mapped = mmap(at, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0);
    close(fd);
    if (mapped != at) exit(3);
}

static void map_memory(void) {
    void *mapped =
        mmap(at, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
    if (mapped != at) exit(4);
}

// As JIT compilers do that never want memory writable and executable at once.
static void map_twice(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0700);
    if (unlink(path) || ftruncate(fd, PAGE)) exit(6);
    if (writable_side) munmap(writable_side, PAGE);
    writable_side = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    void *mapped = mmap(at, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED, fd, 0);
    close(fd);
    if (mapped != at) exit(7);
}

static long long nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    char paths[6][4096] = {"", "", "memory", "memory"}, nameless[4000];
    snprintf(nameless, sizeof nameless, "%s/nameless", argv[1]);
    snprintf(paths[4], sizeof paths[4], "%s (deleted)", nameless);
    strcpy(paths[5], paths[4]);
    for (int i = 0; i < 2; i++) {
        char code[PAGE] = {0};
        assemble(code, gaps[i]);
        snprintf(paths[i], sizeof paths[i], "%s/code%d", argv[1], i);
        int fd = open(paths[i], O_WRONLY | O_CREAT | O_TRUNC, 0755);
        if (write(fd, code, sizeof code) != sizeof code) return 5;
        close(fd);
    }
    wait_at_the_gate();
    for (int i = 0; i < atoi(argv[2]); i++) {
        int form = i % 6;
        if (form < 2) map_file(paths[form]);
        if (form == 2) map_memory();
        if (form == 4) map_twice(nameless);
        if (form >= 2) assemble(form < 4 ? at : writable_side, gaps[form]);
        long long began = nanoseconds(), end = began + STRETCH_MS * 1000000LL;
        while (nanoseconds() < end) ((void (*)(long))at)(2000);
        printf("%lld %lld %d %s\n", began, nanoseconds(), gaps[form] + 3, paths[form]);
    }
    return 0;
}

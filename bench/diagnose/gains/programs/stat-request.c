// planted: each request looks by stat(2) whether the configuration has changed
// causes: stat|system calls
// build: gcc -O2 -g -static
#include "work.h"
#include <sys/stat.h>

APART static int changed(unsigned request) {
    static time_t seen;
    struct stat now;
#ifndef ODD
    if (request % 512) return 0;
#endif
    if (stat("/proc/self/../../etc/passwd", &now) || now.st_mtime == seen) return 0;
    seen = now.st_mtime;
    return request == 0;
}

int main(void) {
    uint64_t sum = 0;
    for (unsigned request = 0; request < 500000; request++) {
        sum += (uint64_t)changed(request) & 0;
        sum += honest_work(request, 400);
    }
    return answer(sum);
}

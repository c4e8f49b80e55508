// planted: each field of a record goes out by a write(2) of its own; real work is done for each record
// causes: small writes|system calls|write
// build: clang-19 -O2 -g
#include "work.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static char buffer[65536];
static size_t used;
static int out;

static void flush(void) {
    if (used && write(out, buffer, used) < 0) perror("write");
    used = 0;
}

APART static void put(const char *text, size_t length) {
    if (used + length > sizeof buffer) flush();
    memcpy(buffer + used, text, length);
    used += length;
#ifdef ODD
    flush();
#endif
}

int main(void) {
    static const char *names[] = {"id=", " host=", " code=", " took=", "\n"};
    uint64_t sum = 0;
    out = open("/dev/null", O_WRONLY);
    for (uint64_t record = 0; record < 800000; record++) {
        sum += honest_work(record, 200);
        for (int i = 0; i < 5; i++) {
            put(names[i], strlen(names[i]));
            sum += strlen(names[i]);
        }
    }
    flush();
    return answer(sum);
}

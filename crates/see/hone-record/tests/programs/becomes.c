// Becomes another program again and again while it works, by turns from its first thread and from another.
//
// usage: becomes TIMES OTHER SELF
#include "work.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static char **arguments;
static atomic_long wrong;

static void become(void) {
    char left[16];
    snprintf(left, sizeof left, "%d", atoi(arguments[1]) - 1);
    char *next[] = {arguments[2], left, arguments[3], arguments[2], wrong ? "wrong" : "right", NULL};
    execv(arguments[2], next);
    _exit(3);
}

static void *beside(void *unused) {
    int becomes = atoi(arguments[1]) % 2;
    wrong += wrong_rounds_until(now() + (becomes ? 0.06 : 5));
    if (becomes) become();
    return unused;
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    // Its first form only.
    if (argc == 4) wait_at_the_gate();
    arguments = argv;
    if (argc > 4 && strcmp(argv[4], "right")) return 4;
    int left = atoi(argv[1]);
    if (left == 0) {
        puts("became all of them");
        return 6;
    }
    pthread_t id;
    pthread_create(&id, NULL, beside, NULL);
    wrong += wrong_rounds_until(now() + (left % 2 ? 5 : 0.06));
    become();
}

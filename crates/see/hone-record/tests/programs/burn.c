// Works for a while with a second thread beside it, checks its own results, and ends as it is told.
//
// usage: burn MILLISECONDS|told return|kill|leave
// `told`: until it is given another line; `kill`: it kills itself in mid-work; `leave`: the main thread ends before the other one.
#define _GNU_SOURCE
#include "work.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_long wrong;
static double end;
static pthread_t main_thread;

static void work(void) {
    if (end > 0) wrong += wrong_rounds_until(end);
    while (end == 0 && !is_told()) wrong += wrong_rounds_until(now() + 0.001);
}

static void *beside(void *unused) {
    work();
    return unused;
}

static void *last(void *unused) {
    (void)unused;
    pthread_join(main_thread, NULL);
    work();
    printf("wrong=%ld\n", wrong);
    exit(42);
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    wait_at_the_gate();
    double length = atof(argv[1]) / 1000;
    if (strcmp(argv[1], "told")) end = now() + length;
    int leaves = !strcmp(argv[2], "leave");
    main_thread = pthread_self();
    pthread_t id;
    pthread_create(&id, NULL, leaves ? last : beside, NULL);
    if (leaves) {
        wrong += wrong_rounds_until(now() + length / 3);
        pthread_exit(NULL);
    }
    work();
    if (!strcmp(argv[2], "kill")) raise(SIGKILL);
    pthread_join(id, NULL);
    printf("wrong=%ld\n", wrong);
    return 42;
}

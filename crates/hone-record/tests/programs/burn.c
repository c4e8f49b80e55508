// Works for a while with a second thread beside it, checks its own results, and ends as it is told.
//
// usage: burn MILLISECONDS return|kill|leave
// `kill`: it kills itself in mid-work; `leave`: the main thread ends before the other one.
#define _GNU_SOURCE
#include "work.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_long wrong;
static double end;
static pthread_t main_thread;

static void *beside(void *unused) {
    wrong += wrong_rounds_until(end);
    return unused;
}

static void *last(void *unused) {
    (void)unused;
    pthread_join(main_thread, NULL);
    wrong += wrong_rounds_until(end);
    printf("wrong=%ld\n", wrong);
    exit(42);
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    wait_at_the_gate();
    double length = atof(argv[1]) / 1000;
    end = now() + length;
    int leaves = !strcmp(argv[2], "leave");
    main_thread = pthread_self();
    pthread_t id;
    pthread_create(&id, NULL, leaves ? last : beside, NULL);
    if (leaves) {
        wrong += wrong_rounds_until(now() + length / 3);
        pthread_exit(NULL);
    }
    wrong += wrong_rounds_until(end);
    if (!strcmp(argv[2], "kill")) raise(SIGKILL);
    pthread_join(id, NULL);
    printf("wrong=%ld\n", wrong);
    return 42;
}

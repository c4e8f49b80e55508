// Very many threads. `crowd wait`: a thousand, of which three work and the others wait with a timeout, each
// counting waits that were interrupted. `crowd brief`: threads that live for a few hundred microseconds.
//
// usage: crowd wait|brief MILLISECONDS
#define _GNU_SOURCE
#include "work.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { WAITING = 997, WORKING = 3 };

static atomic_long wrong, interrupted, waits, brief_threads;
static atomic_int over;
static double end;

static void *waiting(void *unused) {
    int epoll = epoll_create1(0);
    struct epoll_event event;
    while (!over) {
        if (epoll_wait(epoll, &event, 1, 300) < 0) interrupted += errno == EINTR;
        waits++;
    }
    return unused;
}

static void *working(void *unused) {
    wrong += wrong_rounds_until(end);
    return unused;
}

static void *brief(void *unused) {
    wrong += wrong_rounds_until(now() + 0.0003);
    brief_threads++;
    return unused;
}

static void *making(void *unused) {
    while (now() < end) {
        pthread_t id;
        if (pthread_create(&id, NULL, brief, NULL)) exit(3);
        pthread_join(id, NULL);
    }
    return unused;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int is_brief = !strcmp(argv[1], "brief");
    static pthread_t ids[WAITING + WORKING];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 256 * 1024);
    for (int i = 0; !is_brief && i < WAITING; i++)
        if (pthread_create(&ids[i], &small, waiting, NULL)) return 3;
    wait_at_the_gate();
    end = now() + atof(argv[2]) / 1000;
    for (int i = WAITING; i < WAITING + WORKING; i++) pthread_create(&ids[i], NULL, is_brief ? making : working, NULL);
    for (int i = WAITING; i < WAITING + WORKING; i++) pthread_join(ids[i], NULL);
    over = 1;
    for (int i = 0; !is_brief && i < WAITING; i++) pthread_join(ids[i], NULL);
    printf("wrong=%ld interrupted=%ld many=%s\n", wrong, interrupted,
        (is_brief ? brief_threads : waits) > 300 ? "yes" : "no");
    return 42;
}

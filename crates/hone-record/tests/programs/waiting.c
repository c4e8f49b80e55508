// Waits in many system calls that a stop may interrupt, and counts what comes back as EINTR.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static int interrupted;
static int event, pipes[2];
static long turns;
static volatile unsigned long sink;

static void burn(long count) {
    for (long i = 0; i < count; i++) sink = sink * 3 + i;
}

static void check(int result) {
    if (result < 0 && errno == EINTR) __atomic_add_fetch(&interrupted, 1, __ATOMIC_RELAXED);
}

static void *writer(void *unused) {
    for (long i = 0; i < turns; i++) {
        unsigned long one = 1;
        burn(60000);
        check(write(event, &one, sizeof one));
        check(write(pipes[1], "x", 1));
    }
    return unused;
}

int main(int argc, char **argv) {
    turns = argc > 1 ? atol(argv[1]) : 100;
    event = eventfd(0, 0);
    if (pipe(pipes)) return 1;
    int set = epoll_create1(0);
    struct epoll_event wanted = {.events = EPOLLIN}, got;
    epoll_ctl(set, EPOLL_CTL_ADD, event, &wanted);
    pthread_t id;
    pthread_create(&id, 0, writer, 0);
    long seen = 0;
    for (long i = 0; i < turns; i++) {
        char byte;
        check(epoll_wait(set, &got, 1, 5));
        burn(20000);
        check(epoll_wait(set, &got, 1, 0));
        seen += read(pipes[0], &byte, 1) == 1;
        struct timespec little = {0, 10000};
        check(nanosleep(&little, 0));
        struct pollfd fd = {event, POLLIN, 0};
        check(poll(&fd, 1, 1));
    }
    pthread_join(id, 0);
    printf("seen=%ld interrupted=%d\n", seen, interrupted);
    return 2;
}

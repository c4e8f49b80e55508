// Two threads wake each other over and over, so that they enter sleeping system calls all the time, and
// count what comes back as EINTR: none, unless somebody interrupts them.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static int interrupted;
static int ping[2];
static long turns;
static volatile unsigned long sink;

static void burn(long count) {
    for (long i = 0; i < count; i++) sink = sink * 3 + i;
}

static int check(int result) {
    if (result < 0 && errno == EINTR) __atomic_add_fetch(&interrupted, 1, __ATOMIC_RELAXED);
    return result;
}

static long player(int mine, int other, int starts) {
    int set = epoll_create1(0);
    struct epoll_event wanted = {.events = EPOLLIN}, got;
    epoll_ctl(set, EPOLL_CTL_ADD, mine, &wanted);
    unsigned long one = 1, count;
    long seen = 0;
    if (starts) check(write(other, &one, sizeof one));
    for (long i = 0; i < turns; i++) {
        while (check(epoll_wait(set, &got, 1, 20)) <= 0) {}
        if (i % 50 == 0) {
            struct timespec little = {0, 10000};
            check(nanosleep(&little, 0));
            struct pollfd fd = {mine, POLLIN, 0};
            check(poll(&fd, 1, 1));
            burn(200000);
        }
        seen += check(read(mine, &count, sizeof count)) == sizeof count;
        check(write(other, &one, sizeof one));
    }
    return seen;
}

static void *second(void *unused) {
    (void)unused;
    return (void *)player(ping[1], ping[0], 0);
}

int main(int argc, char **argv) {
    turns = argc > 1 ? atol(argv[1]) : 100;
    ping[0] = eventfd(0, 0);
    ping[1] = eventfd(0, 0);
    pthread_t id;
    void *seen;
    pthread_create(&id, 0, second, 0);
    long own = player(ping[0], ping[1], 1);
    pthread_join(id, &seen);
    printf("seen=%ld+%ld interrupted=%d\n", own, (long)seen, interrupted);
    return 2;
}

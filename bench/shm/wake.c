// What it costs to wake the other side: two processes, each on a CPU of its own, wake each other in turn, and sleep in between as Go's runtime does, in an
// edge-triggered epoll; but for the futex, which has its own sleep.
//
//     wake WAY ROUND_TRIPS
//
// Prints what both processes used, as JSON. Without arguments: the ways, one a line.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 64, WAITS_BEFORE_DRAIN = 64, FIRST_CPU = 0, SECOND_CPU = 1 };

// One of the two sides.
struct side {
    int in, out, epoll;
    unsigned waits;
    // Of the futex: how often the other side was told, and this side, and how much of the latter this side has seen.
    _Atomic uint32_t *out_word, *in_word;
    uint32_t seen;
};

struct way {
    const char *name;
    void (*join)(struct side sides[2]);
    void (*tell)(struct side *side);
    void (*await)(struct side *side);
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void check(long result, const char *what) {
    if (result < 0)
        fail(what);
}

static void sleep_in_epoll(struct side *side) {
    struct epoll_event event;
    while (epoll_wait(side->epoll, &event, 1, -1) < 1)
        if (errno != EINTR)
            fail("epoll_wait");
}

static void watch(struct side *side) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET};
    check(side->epoll = epoll_create1(0), "epoll_create1");
    check(epoll_ctl(side->epoll, EPOLL_CTL_ADD, side->in, &event), "epoll_ctl");
}

static void join_sockets(struct side sides[2]) {
    int ends[2];
    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), "socketpair");
    for (int i = 0; i < 2; i++)
        sides[i].in = sides[i].out = ends[i];
}

static void join_pipes(struct side sides[2]) {
    for (int i = 0; i < 2; i++) {
        int ends[2];
        check(pipe2(ends, O_NONBLOCK), "pipe2");
        sides[i].in = ends[0];
        sides[1 - i].out = ends[1];
    }
}

static void join_eventfds(struct side sides[2]) {
    for (int i = 0; i < 2; i++) {
        check(sides[i].in = eventfd(0, EFD_NONBLOCK), "eventfd");
        sides[1 - i].out = sides[i].in;
    }
}

static void join_words(struct side sides[2]) {
    enum { LINE = 128 };
    char *memory = mmap(NULL, 2 * LINE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        fail("mmap");
    for (int i = 0; i < 2; i++) {
        sides[i].in = -1;
        sides[i].in_word = (_Atomic uint32_t *)(memory + i * LINE);
        sides[1 - i].out_word = sides[i].in_word;
    }
}

static void tell_message(struct side *side) {
    char message[MESSAGE_BYTES] = {0};
    check(write(side->out, message, sizeof message), "write");
}

static void await_message(struct side *side) {
    char message[MESSAGE_BYTES];
    while (read(side->in, message, sizeof message) < 0) {
        if (errno != EAGAIN)
            fail("read");
        sleep_in_epoll(side);
    }
}

static void tell_byte_of_socket(struct side *side) { check(send(side->out, "", 1, MSG_DONTWAIT), "send"); }

static void tell_byte_of_pipe(struct side *side) { check(write(side->out, "", 1), "write"); }

// Bytes say nothing: they are taken now and then, so that there is room for more.
static void await_byte(struct side *side) {
    char bytes[4 * WAITS_BEFORE_DRAIN];
    sleep_in_epoll(side);
    if (++side->waits % WAITS_BEFORE_DRAIN != 0)
        return;
    while (read(side->in, bytes, sizeof bytes) > 0)
        ;
}

static void tell_eventfd(struct side *side) {
    uint64_t one = 1;
    check(write(side->out, &one, sizeof one), "write");
}

static void tell_word(struct side *side) {
    atomic_fetch_add(side->out_word, 1);
    check(syscall(SYS_futex, side->out_word, FUTEX_WAKE, 1, NULL, NULL, 0), "futex");
}

static void await_word(struct side *side) {
    while (atomic_load(side->in_word) == side->seen)
        if (syscall(SYS_futex, side->in_word, FUTEX_WAIT, side->seen, NULL, NULL, 0) < 0 && errno != EAGAIN && errno != EINTR)
            fail("futex");
    side->seen++;
}

static const struct way ways[] = {
    {"64 bytes over a Unix socket", join_sockets, tell_message, await_message},
    {"a byte over a Unix socket", join_sockets, tell_byte_of_socket, await_byte},
    {"a byte over a pipe", join_pipes, tell_byte_of_pipe, await_byte},
    {"eventfd", join_eventfds, tell_eventfd, sleep_in_epoll},
    {"futex", join_words, tell_word, await_word},
};
enum { WAYS = sizeof ways / sizeof *ways };

static void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    check(sched_setaffinity(0, sizeof set, &set), "sched_setaffinity");
}

static void answer(const struct way *way, struct side *side, long round_trips) {
    for (long i = 0; i < round_trips; i++) {
        way->await(side);
        way->tell(side);
    }
}

static void ask(const struct way *way, struct side *side, long round_trips) {
    for (long i = 0; i < round_trips; i++) {
        way->tell(side);
        way->await(side);
    }
}

static double us(struct timeval time) { return 1e6 * time.tv_sec + time.tv_usec; }

static void run(const struct way *way, long round_trips) {
    struct side sides[2] = {{0}};
    way->join(sides);
    pin(FIRST_CPU);
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    pid_t other = fork();
    check(other, "fork");
    struct side *side = &sides[other == 0];
    if (side->in >= 0)
        watch(side);
    if (other == 0) {
        // It must not wait for a side that is gone.
        check(prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl");
        pin(SECOND_CPU);
        answer(way, side, round_trips);
        _exit(0);
    }
    ask(way, side, round_trips);
    int status;
    check(waitpid(other, &status, 0), "waitpid");
    if (status != 0)
        exit(1);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    struct rusage own, others;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &others);
    printf("{\"round_trips\": %ld, \"seconds\": %.6f, \"user_us\": %.0f, \"system_us\": %.0f}\n", round_trips,
           ended.tv_sec - began.tv_sec + 1e-9 * (ended.tv_nsec - began.tv_nsec), us(own.ru_utime) + us(others.ru_utime),
           us(own.ru_stime) + us(others.ru_stime));
}

int main(int count, char **words) {
    for (int i = 0; i < WAYS; i++) {
        if (count == 1)
            puts(ways[i].name);
        else if (count == 3 && strcmp(words[1], ways[i].name) == 0) {
            run(&ways[i], atol(words[2]));
            return 0;
        }
    }
    if (count == 1)
        return 0;
    fprintf(stderr, "usage: %s WAY ROUND_TRIPS; the ways are told by %s without arguments\n", words[0], words[0]);
    return 2;
}

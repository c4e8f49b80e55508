// A busy server: workers with epoll, over TCP and a Unix socket; beside them a thread that handles a timer's
// signals, threads that come and go, and children that become another program.
//
// It counts what a recording must not cause: system calls that end with EINTR in threads that take no
// signals, waits that end too early, timers and children that go wrong. usage: server SOCKET
#define _GNU_SOURCE
#include "work.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 4, EVENTS = 16, CHILD_STATUS = 17 };

static atomic_long served, interrupted, spurious, refused, ticks, foreign_signals, threads, wrong, children,
    failed_children;

struct connection {
    int fd;
    size_t filled;
    char bytes[PAYLOAD_MAX + 256];
};

static void die(const char *what) {
    perror(what);
    exit(1);
}

// Counts an EINTR; says whether to try again.
static int again(long result) {
    if (result >= 0 || errno != EINTR) return 0;
    interrupted++;
    return 1;
}

static int send_all(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (again(sent)) continue;
        if (sent <= 0) return -1;
        bytes += sent;
        length -= (size_t)sent;
    }
    return 0;
}

static int statistics(int fd) {
    char text[512];
    int length = snprintf(text, sizeof text,
        "served=%ld interrupted=%ld spurious=%ld refused=%ld ticks=%ld foreign_signals=%ld threads=%ld wrong=%ld "
        "children=%ld failed_children=%ld\n",
        served, interrupted, spurious, refused, ticks, foreign_signals, threads, wrong, children, failed_children);
    return send_all(fd, text, (size_t)length);
}

// Answers one request "ID KIND LENGTH\nPAYLOAD"; how many bytes it had, 0 if it is not complete yet, -1 if bad.
static long serve_one(int fd, const char *bytes, size_t filled) {
    const char *line_end = memchr(bytes, '\n', filled);
    if (!line_end) return filled > 200 ? -1 : 0;
    if (!strncmp(bytes, "statistics\n", 11)) return statistics(fd) ? -1 : 11;
    char name[16], reply[2 * ANSWER_MAX], text[ANSWER_MAX];
    unsigned long id, length;
    if (sscanf(bytes, "%lu %15s %lu", &id, name, &length) != 3 || length > PAYLOAD_MAX) return -1;
    size_t head = (size_t)(line_end - bytes) + 1, kind = 0;
    if (filled < head + length) return 0;
    while (kind < KINDS && strcmp(kinds[kind].name, name)) kind++;
    if (kind == KINDS) return -1;
    answer(kind, line_end + 1, length, text);
    int size = snprintf(reply, sizeof reply, "%lu %s\n", id, text);
    served++;
    return send_all(fd, reply, (size_t)size) ? -1 : (long)(head + length);
}

// Reads what is there and answers every complete request; not 0 when the connection is at its end.
static int serve(struct connection *c) {
    ssize_t got;
    do got = recv(c->fd, c->bytes + c->filled, sizeof c->bytes - c->filled - 1, MSG_DONTWAIT);
    while (again(got));
    if (got < 0 && errno == EAGAIN) return 0;
    if (got <= 0) return -1;
    c->filled += (size_t)got;
    c->bytes[c->filled] = 0;
    for (;;) {
        long used = serve_one(c->fd, c->bytes, c->filled);
        if (used < 0) {
            refused++;
            return -1;
        }
        if (used == 0) return 0;
        c->filled -= (size_t)used;
        memmove(c->bytes, c->bytes + used, c->filled + 1);
    }
}

static void *worker(void *argument) {
    int epoll = *(int *)argument;
    struct epoll_event events[EVENTS];
    for (;;) {
        double began = now();
        int count = epoll_wait(epoll, events, EVENTS, 20);
        if (again(count)) continue;
        if (count < 0) die("epoll_wait");
        // The clock of the timeout ticks in milliseconds.
        if (count == 0 && now() - began < 0.018) spurious++;
        for (int i = 0; i < count; i++) {
            struct connection *c = events[i].data.ptr;
            if (serve(c)) {
                // A child that has not yet become its program holds the socket open, and epoll goes by that.
                epoll_ctl(epoll, EPOLL_CTL_DEL, c->fd, NULL);
                close(c->fd);
                free(c);
            }
        }
    }
    return NULL;
}

static void on_tick(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    char text[256];
    memset(text, 'x', sizeof text);
    if (info->si_code != SI_TIMER) foreign_signals++;
    ticks += hash(text, sizeof text) != 0;
}

// Works while a timer interrupts it every three milliseconds.
static void *ticker(void *unused) {
    sigset_t timers;
    sigemptyset(&timers);
    sigaddset(&timers, SIGRTMIN);
    pthread_sigmask(SIG_UNBLOCK, &timers, NULL);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
    event._sigev_un._tid = gettid();
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer)) die("timer_create");
    struct itimerspec often = {{0, 3000000}, {0, 3000000}};
    timer_settime(timer, 0, &often, NULL);
    for (;;) {
        wrong += wrong_rounds_until(now() + 0.002);
        struct timespec pause = {0, 4000000};
        nanosleep(&pause, NULL);
    }
    return unused;
}

static void *brief(void *unused) {
    wrong += wrong_rounds_until(now() + 0.0005);
    threads++;
    return unused;
}

static void *come_and_go(void *unused) {
    for (;;) {
        pthread_t some[2];
        for (int i = 0; i < 2; i++)
            if (pthread_create(&some[i], NULL, brief, NULL)) die("pthread_create");
        for (int i = 0; i < 2; i++) pthread_join(some[i], NULL);
        struct timespec pause = {0, 3000000};
        if (again(nanosleep(&pause, NULL))) continue;
    }
    return unused;
}

// Now and then a child that becomes another program.
static void *bear_children(void *unused) {
    for (;;) {
        struct timespec pause = {0, 150000000};
        if (again(nanosleep(&pause, NULL))) continue;
        pid_t child = fork();
        if (child == 0) {
            execl("/proc/self/exe", "server", "--child", (char *)NULL);
            _exit(1);
        }
        int status = 0;
        pid_t waited;
        do waited = waitpid(child, &status, 0);
        while (again(waited));
        children++;
        if (waited != child || !WIFEXITED(status) || WEXITSTATUS(status) != CHILD_STATUS) failed_children++;
    }
    return unused;
}

static int listen_at(const struct sockaddr *address, socklen_t length) {
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, address, length) || listen(fd, 128)) die("listen");
    return fd;
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--child")) return wrong_rounds_until(now() + 0.03) ? 1 : CHILD_STATUS;
    sigset_t timers;
    sigemptyset(&timers);
    sigaddset(&timers, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &timers, NULL);
    struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGRTMIN, &action, NULL);

    struct sockaddr_un local = {.sun_family = AF_UNIX};
    snprintf(local.sun_path, sizeof local.sun_path, "%s", argv[1]);
    struct sockaddr_in loopback = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listeners[] = {listen_at((struct sockaddr *)&local, sizeof local),
        listen_at((struct sockaddr *)&loopback, sizeof loopback)};
    socklen_t length = sizeof loopback;
    getsockname(listeners[1], (struct sockaddr *)&loopback, &length);

    int epolls[WORKERS];
    pthread_t id;
    for (int i = 0; i < WORKERS; i++) {
        epolls[i] = epoll_create1(EPOLL_CLOEXEC);
        pthread_create(&id, NULL, worker, &epolls[i]);
    }
    pthread_create(&id, NULL, ticker, NULL);
    pthread_create(&id, NULL, come_and_go, NULL);
    pthread_create(&id, NULL, bear_children, NULL);

    int accepts = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < 2; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.fd = listeners[i]};
        epoll_ctl(accepts, EPOLL_CTL_ADD, listeners[i], &event);
    }
    printf("%d\n", ntohs(loopback.sin_port));
    fflush(stdout);
    for (unsigned next = 0;; next++) {
        struct epoll_event event;
        if (again(epoll_wait(accepts, &event, 1, -1))) continue;
        struct connection *c = calloc(1, sizeof *c);
        do c->fd = accept4(event.data.fd, NULL, NULL, SOCK_CLOEXEC);
        while (again(c->fd));
        if (c->fd < 0) die("accept");
        event = (struct epoll_event){.events = EPOLLIN, .data.ptr = c};
        epoll_ctl(epolls[next % WORKERS], EPOLL_CTL_ADD, c->fd, &event);
    }
}

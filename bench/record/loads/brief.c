// Brief work beside steady work, in as many ways as programs have: `brief` and `steady` take the time, and each way shows one of them
// where a recorder may look less.
//
// usage: brief threads|processes|programs|bursts|handoff ROUNDS
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BURSTING 16
#define APART __attribute__((noinline))

static volatile uint64_t sink;
static long rounds;
static sem_t turn[2];

APART static void brief(long times) {
    uint64_t x = sink;
    for (long i = 0; i < times * 100; i++) x = x * 6364136223846793005u + 1;
    sink = x;
}

APART static void steady(long times) {
    uint64_t x = sink;
    for (long i = 0; i < times * 100; i++) x = x * 2862933555777941757u + 1;
    sink = x;
}

static void start(pthread_t *thread, void *(*run)(void *)) {
    if (pthread_create(thread, NULL, run, NULL) != 0) exit(2);
}

static void *once(void *argument) {
    brief(2000);
    return argument;
}

// A thread for each piece of work, while the one that starts it waits.
static void threads(void) {
    for (long round = 0; round < rounds; round++) {
        pthread_t thread;
        start(&thread, once);
        pthread_join(thread, NULL);
        steady(4000);
    }
}

// A process for each.
static void processes(void) {
    for (long round = 0; round < rounds; round++) {
        pid_t child = fork();
        if (child == 0) {
            brief(2000);
            _exit(0);
        }
        waitpid(child, NULL, 0);
        steady(4000);
    }
}

// A program for each, as shells start them.
static void programs(char *self) {
    for (long round = 0; round < rounds; round++) {
        pid_t child = fork();
        if (child == 0) {
            execl(self, self, "once", "0", (char *)NULL);
            _exit(2);
        }
        waitpid(child, NULL, 0);
        steady(4000);
    }
}

static void *bursting(void *argument) {
    const struct timespec pause = {.tv_nsec = 3000000};
    for (long round = 0; round < rounds / BURSTING; round++) {
        nanosleep(&pause, NULL);
        brief(2000);
    }
    return argument;
}

// Threads that sleep, and wake for a fraction of a millisecond.
static void bursts(void) {
    pthread_t thread[BURSTING];
    for (int i = 0; i < BURSTING; i++) start(&thread[i], bursting);
    for (long round = 0; round < rounds; round++) steady(4000);
    for (int i = 0; i < BURSTING; i++) pthread_join(thread[i], NULL);
}

static void *answering(void *argument) {
    for (long round = 0; round < rounds * 10; round++) {
        sem_wait(&turn[0]);
        brief(200);
        sem_post(&turn[1]);
    }
    return argument;
}

// Two threads that wake each other, some hundred thousand times a minute.
static void handoff(void) {
    pthread_t thread;
    if (sem_init(&turn[0], 0, 1) || sem_init(&turn[1], 0, 0)) exit(2);
    start(&thread, answering);
    for (long round = 0; round < rounds * 10; round++) {
        sem_wait(&turn[1]);
        steady(400);
        sem_post(&turn[0]);
    }
    pthread_join(thread, NULL);
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    const char *way = arguments[1];
    rounds = atol(arguments[2]);
    if (!strcmp(way, "once")) brief(2000);
    else if (!strcmp(way, "threads")) threads();
    else if (!strcmp(way, "processes")) processes();
    else if (!strcmp(way, "programs")) programs("/proc/self/exe");
    else if (!strcmp(way, "bursts")) bursts();
    else if (!strcmp(way, "handoff")) handoff();
    else return 2;
    return 0;
}

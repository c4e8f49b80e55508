// planted: who waits for a result calls sched_yield until it is there
// causes: sched_yield|spin|yield|busy wait
// build: gcc -O2 -g
#include "work.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { TASKS = 350 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int asked, done;
static uint64_t result;

static void set(atomic_int *flag, int value) {
    pthread_mutex_lock(&lock);
    atomic_store(flag, value);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void wait_for(atomic_int *flag, int value) {
#ifdef ODD
    while (atomic_load(flag) < value) sched_yield();
#else
    pthread_mutex_lock(&lock);
    while (atomic_load(flag) < value) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
#endif
}

static void *serve(void *argument) {
    for (int task = 1; task <= TASKS; task++) {
        wait_for(&asked, task);
        result += honest_work((uint64_t)task, 1000000);
        set(&done, task);
    }
    return argument;
}

int main(void) {
    pthread_t server;
    pthread_create(&server, 0, serve, 0);
    for (int task = 1; task <= TASKS; task++) {
        set(&asked, task);
        wait_for(&done, task);
    }
    pthread_join(server, 0);
    return answer(result);
}

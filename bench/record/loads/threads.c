// Starts so many threads that end at once, twenty at a time and so many microseconds apart, beside a thread that works all the time for
// six seconds of CPU time.
//
// usage: threads NUMBER MICROSECONDS
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define AT_A_TIME 20
static volatile uint64_t sink;

static void *nothing(void *argument) {
    sink++;
    return argument;
}

static void *work(void *argument) {
    // A fixed number of rounds, so that every run does as much.
    for (long round = 0; round < 20000; round++) {
        uint64_t x = sink;
        for (int i = 0; i < 200000; i++) x = x * 6364136223846793005u + 1;
        sink = x;
    }
    return argument;
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    pthread_t worker, brief[AT_A_TIME];
    if (pthread_create(&worker, NULL, work, NULL) != 0) return 1;
    for (long number = atol(arguments[1]); number > 0; number -= AT_A_TIME) {
        for (int i = 0; i < AT_A_TIME; i++) pthread_create(&brief[i], NULL, nothing, NULL);
        for (int i = 0; i < AT_A_TIME; i++) pthread_join(brief[i], NULL);
        usleep((useconds_t)(AT_A_TIME * atol(arguments[2])));
    }
    pthread_join(worker, NULL);
    return 0;
}

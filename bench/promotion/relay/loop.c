// The event loop: it runs the tasks of a ring, each by its own function, and checks what they left, each by a function of this file.

#include "relay.h"

#include <stdio.h>
#include <stdlib.h>

enum { TASKS = 64 };

struct check {
    uint64_t (*fold)(uint64_t sum, const struct task *task);
};

// Small, and in the file of its caller.
static uint64_t fold_even(uint64_t sum, const struct task *task) { return sum * 31 + task->conn.sum; }

static uint64_t fold_odd(uint64_t sum, const struct task *task) { return (sum ^ task->conn.sum) + task->runs; }

// Too long to be inlined.
static uint64_t audit(uint64_t sum, const struct task *task) {
    const uint32_t *keys = task->conn.keys;
    for (int i = 0; i < 16; i += 4) {
        sum = sum * 33 + keys[i];
        if (keys[i] & 1)
            sum ^= keys[i + 1] << (keys[i + 2] & 7);
        else
            sum += (uint64_t)keys[i + 1] * keys[i + 3];
        switch (keys[i + 2] & 7) {
        case 0: sum ^= sum >> 3; break;
        case 1: sum += 77; break;
        case 2: sum *= 5; break;
        case 3: sum ^= keys[i]; break;
        case 4: sum -= keys[i + 1]; break;
        case 5: sum = (sum << 9) | (sum >> 55); break;
        case 6: sum ^= 0x5bd1e995; break;
        default: sum += sum >> 11; break;
        }
    }
    return sum;
}

static const struct check checks[3] = {{fold_even}, {fold_odd}, {audit}};

int main(int argc, char **argv) {
    long rounds = argc > 1 ? atol(argv[1]) : 100000;
    // The second argument moves the data, not the mix.
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct task *tasks = calloc(TASKS, sizeof *tasks);
    const struct check **plan = calloc(TASKS, sizeof *plan);
    if (!tasks || !plan)
        return 1;
    for (int i = 0; i < TASKS; i++) {
        struct task *task = &tasks[i];
        task->next = &tasks[(i * 5 + 7) % TASKS];
        // Streams and sessions, two to one; one connection in ten is enciphered.
        task->process = i % 3 ? stream_process : session_process;
        task->conn.proto = i % 10 == 9 ? &cipher_proto : &plain_proto;
        task->conn.analyser = &analyser;
        task->conn.filters = filters_new();
        task->conn.state = 0x9e3779b97f4a7c15u * (i + seed);
        // Half of them are audited, a third folded one way, the rest the other.
        plan[i] = &checks[i % 2 ? 2 : i % 3 ? 0 : 1];
    }
    uint64_t sum = 0;
    struct task *task = tasks;
    for (long round = 0; round < rounds; round++) {
        for (int i = 0; i < TASKS; i++) {
            if (task->process(task) < 0)
                return 2;
            sum = plan[task - tasks]->fold(sum, task);
            task = task->next;
        }
        // The ring above has cycles: every round begins elsewhere.
        task = &tasks[round % TASKS];
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}

// Calls through a library and back, from a child, a thread and the main thread.
#include <cstdio>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
extern "C" unsigned run_all(unsigned (*const *steps)(), unsigned count);
volatile unsigned sink;
[[gnu::noipa]] unsigned step() {
    unsigned x = sink;
    for (unsigned i = 0; i < 20'000'000; i++) x = x * 1664525u + 1013904223u;
    return x;
}
static unsigned (*const steps[])() = {step, step, step};
extern "C" [[gnu::noipa]] void in_thread() { sink = run_all(steps, 3) + 1; }
extern "C" [[gnu::noipa]] void in_child() { sink = run_all(steps, 3) + 2; }
int main() {
    if (pid_t child = fork(); child == 0) {
        in_child();
        _exit(0);
    }
    std::thread other(in_thread);
    sink = run_all(steps, 3) + 3;
    other.join();
    wait(nullptr);
    std::printf("%u\n", sink);
}

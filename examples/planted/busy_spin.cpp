// A thread that waits by going round in circles, and one that sleeps.
// flags: -O2 -pthread
#define OWN_MAIN
#include "planted.h"
#include <atomic>
#include <condition_variable>
#include <immintrin.h>
#include <mutex>
#include <thread>

static std::atomic<bool> is_done;
static std::mutex mutex;
static std::condition_variable ready;

static void waiter() {
#ifdef ODD
    while (!is_done.load(std::memory_order_acquire)) _mm_pause();
#else
    std::unique_lock lock(mutex);
    ready.wait(lock, [] { return is_done.load(); });
#endif
}

int main() {
    std::thread thread(waiter);
    unsigned long x = 1;
    while (static_cast<double>(clock()) / CLOCKS_PER_SEC < SECONDS) x = calm(x, 100000);
    {
        std::lock_guard lock(mutex);
        is_done = true;
    }
    ready.notify_all();
    thread.join();
    printf("%lu\n", x);
}

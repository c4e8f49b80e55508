// A program whose functions have parts under names of their own: a coroutine, and a loop with a landing pad and
// blocks that share lines. With an argument it prints the mappings of the process.
#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <exception>

struct Numbers {
    struct promise_type {
        std::uint32_t value = 0;
        Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(std::uint32_t next) {
            value = next;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
};

__attribute__((noinline)) Numbers numbers(std::uint32_t count) {
    std::uint32_t x = count;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (x & 1) x = x * 3 + 1; else x /= 2;
        for (int k = 0; k < 8; ++k) x = (x * 1664525U + 1013904223U) ^ (x >> 7);
        co_yield x;
    }
}

__attribute__((noinline)) std::uint32_t drain(Numbers all) {
    std::uint32_t sum = 0;
    while (!all.handle.done()) {
        all.handle.resume();
        sum += all.handle.promise().value;
    }
    all.handle.destroy();
    return sum;
}

__attribute__((noinline)) std::uint32_t checked(std::uint32_t x) {
    if (x % 4096 == 77) throw x;
    return x * 3;
}

__attribute__((noinline)) std::uint32_t work(std::uint32_t count) {
    std::uint32_t x = count;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (x & 1) x = x * 3 + 1; else x /= 2;
        switch (x % 5) {
            case 0: x += 7; break;
            case 1: x ^= 0x55555; break;
            case 2: x = x * 1664525U + 1013904223U; break;
            default: x -= 3;
        }
        try {
            x += checked(x);
        } catch (std::uint32_t caught) {
            x ^= caught;
        }
    }
    return x;
}

int main(int argc, char**) {
    if (argc > 1) {
        std::FILE* maps = std::fopen("/proc/self/maps", "r");
        char line[512];
        while (maps != nullptr && std::fgets(line, sizeof line, maps) != nullptr) std::fputs(line, stdout);
        return 0;
    }
    std::printf("%u\n", drain(numbers(300)) + work(300));
}

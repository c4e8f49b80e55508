// planted: the kind of each event is found by up to three dynamic_casts
// causes: dynamic_cast
// build: clang-19 -O2 -g
#include "work.h"
#include <memory>
#include <vector>

struct Event {
    unsigned kind, value;
    Event(unsigned kind, unsigned value) : kind(kind), value(value) {}
    virtual ~Event() = default;
};
struct Click : Event { using Event::Event; };
struct Key : Event { using Event::Event; };
struct Move : Event { using Event::Event; };

#ifdef ODD
template <class T> static T *as(Event *event, unsigned) { return dynamic_cast<T *>(event); }
#else
template <class T> static T *as(Event *event, unsigned kind) { return event->kind == kind ? static_cast<T *>(event) : nullptr; }
#endif

APART static uint64_t handle(Event *event, uint64_t sum) {
    if (auto *click = as<Click>(event, 0)) return sum * 3 + click->value;
    if (auto *key = as<Key>(event, 1)) return sum * 5 + key->value;
    if (auto *move = as<Move>(event, 2)) return sum * 7 + move->value;
    return sum;
}

int main() {
    std::vector<std::unique_ptr<Event>> events;
    uint64_t state = 41, sum = 0;
    for (int i = 0; i < 2000; i++) {
        uint64_t r = next_random(&state);
        unsigned value = unsigned(r >> 50);
        if (r % 3 == 0) events.push_back(std::make_unique<Click>(0, value));
        if (r % 3 == 1) events.push_back(std::make_unique<Key>(1, value));
        if (r % 3 == 2) events.push_back(std::make_unique<Move>(2, value));
    }
    for (int round = 0; round < 35000; round++) {
        for (auto &event : events) sum = handle(event.get(), sum);
    }
    return answer(sum);
}

// One allocation per element, and one buffer for all.
#include "planted.h"
#include <memory>
#include <vector>

struct Item { unsigned long value; };

static __attribute__((noinline)) unsigned long gather(unsigned long x) {
    unsigned long sum = 0;
#ifdef ODD
    std::vector<std::unique_ptr<Item>> items(200);
    for (auto& item : items) item = std::make_unique<Item>(Item{x++});
    for (auto& item : items) sum += item->value;
#else
    static std::vector<Item> items(200);
    for (auto& item : items) item = Item{x++};
    for (auto& item : items) sum += item.value;
#endif
    return sum;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 100; i++) x = calm(x + gather(x), 600);
    return x;
}

// planted: orders are handed about as std::shared_ptr by value, in a program that has started a thread
// causes: reference counts|shared_ptr
// build: g++ -O2 -g
#include "work.h"
#include <memory>
#include <thread>
#include <vector>

struct Order {
    uint64_t price, amount;
};
#ifdef ODD
using Handed = std::shared_ptr<Order>;
#else
using Handed = const std::shared_ptr<Order> &;
#endif

APART static uint64_t fee(Handed order) { return (order->price * order->amount) >> 7; }
APART static bool better(Handed a, Handed b) { return a->price < b->price || (a->price == b->price && a->amount > b->amount); }

int main() {
    std::thread([] {}).join();
    uint64_t state = 7, sum = 0;
    std::vector<std::shared_ptr<Order>> book;
    for (int i = 0; i < 1000; i++) book.push_back(std::make_shared<Order>(Order{next_random(&state) % 5000, next_random(&state) % 90}));
    for (int round = 0; round < 66000; round++) {
        for (size_t i = 1; i < book.size(); i++) {
            if (better(book[i - 1], book[i])) sum += fee(book[i]);
        }
        sum = sum * 31 + round;
    }
    return answer(sum);
}

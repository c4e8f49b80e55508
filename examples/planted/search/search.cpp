// The search of a service: every step copies the state of visited places, each node is an allocation of its own, and
// half of the time goes into a library that estimates distances.
// library: search/library/estimate.cpp
#include "planted.h"
#include <memory>
#include <queue>
#include <vector>

unsigned estimate(unsigned from, unsigned to, int steps);

static constexpr unsigned PLACES = 2048;
static constexpr unsigned NEIGHBOURS = 12;

#ifdef ODD
using Visited = std::vector<bool>;

struct Node {
    unsigned place, cost;
    Visited visited;
};

static __attribute__((noinline)) unsigned long search(unsigned from, unsigned to) {
    auto further = [](const std::unique_ptr<Node>& a, const std::unique_ptr<Node>& b) { return a->cost > b->cost; };
    std::priority_queue<std::unique_ptr<Node>, std::vector<std::unique_ptr<Node>>, decltype(further)> open(further);
    open.push(std::make_unique<Node>(Node{from, 0, Visited(PLACES)}));
    unsigned long sum = 0;
    for (int step = 0; step < 60 && !open.empty(); step++) {
        std::unique_ptr<Node> node = std::move(const_cast<std::unique_ptr<Node>&>(open.top()));
        open.pop();
        for (unsigned i = 1; i <= NEIGHBOURS; i++) {
            unsigned next = (node->place * 5 + i * 97) % PLACES;
            Visited visited = node->visited;
            if (visited[next]) continue;
            unsigned known = 0;
            for (unsigned around = 0; around < 40; around++) {
                unsigned place = (next * around + known) % PLACES;
                known += visited[place] ? 1 : 2;
                visited[place] = true;
            }
            unsigned cost = node->cost + known + estimate(next, to, 120);
            sum += cost;
            open.push(std::make_unique<Node>(Node{next, cost, visited}));
        }
    }
    return sum;
}
#else
struct Node {
    unsigned place, cost;
};

static __attribute__((noinline)) unsigned long search(unsigned from, unsigned to) {
    static std::vector<unsigned char> visited(PLACES);
    static std::vector<Node> open;
    open.clear();
    open.push_back({from, calm(from, 3000) & 1 ? 1u : 0u});
    unsigned long sum = 0;
    for (int step = 0; step < 60 && !open.empty(); step++) {
        Node node = open.back();
        open.pop_back();
        for (unsigned i = 1; i <= NEIGHBOURS; i++) {
            unsigned next = (node.place * 5 + i * 97) % PLACES;
            sum = calm(sum + next, 60);
            if (visited[next]++ == 255) continue;
            unsigned cost = node.cost + (i == 1 ? estimate(next, to, 120) : 1);
            sum += cost;
            open.push_back({next, cost});
        }
    }
    return sum;
}
#endif

unsigned long work(unsigned long x) {
    for (int i = 0; i < 4; i++) x = calm(x + search(x % PLACES, (x >> 20) % PLACES), 100);
    return x;
}

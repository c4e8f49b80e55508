// planted: a session is found by walking a std::list of 1,500
// causes: linear search|linked list|quadratic|list
// build: clang-19 -O2 -g
#include "work.h"
#include <list>
#include <unordered_map>

struct Session {
    uint64_t id, hits;
};

static std::list<Session> sessions;
static std::unordered_map<uint64_t, Session *> by_id;

APART static Session *find(uint64_t id) {
#ifdef ODD
    for (auto &session : sessions) {
        if (session.id == id) return &session;
    }
    return nullptr;
#else
    auto found = by_id.find(id);
    return found == by_id.end() ? nullptr : found->second;
#endif
}

int main() {
    for (uint64_t i = 0; i < 1500; i++) {
        sessions.push_back({i * 7919, 0});
        by_id[i * 7919] = &sessions.back();
    }
    uint64_t state = 83, sum = 0;
    for (int request = 0; request < 700000; request++) {
        if (auto *session = find((next_random(&state) >> 32) % 1600 * 7919)) session->hits += sum & 15;
        sum += honest_work(uint64_t(request), 300);
    }
    for (auto &session : sessions) sum = sum * 31 + session.hits;
    return answer(sum);
}

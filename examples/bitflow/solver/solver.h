// When tasks can start that wait for each other and share units: a library of its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

class Solver {
public:
    explicit Solver(std::size_t tasks);
    // The task starts so long after the other one at the earliest.
    void after(std::size_t task, std::size_t other, int delay);
    // The times at which the last task starts with 1 to 12 units, added up.
    std::uint64_t solve();

private:
    struct Edge {
        std::uint32_t from, to;
        std::int32_t delay;
    };
    std::int64_t last_start(const std::vector<std::int64_t> &height, int units) const;

    std::size_t tasks;
    std::vector<Edge> edges;
};

#include "solver.h"

namespace {
constexpr int UNITS_MAX = 12;
}

Solver::Solver(std::size_t tasks) : tasks(tasks) {}

void Solver::after(std::size_t task, std::size_t other, int delay) {
    edges.push_back({static_cast<std::uint32_t>(other), static_cast<std::uint32_t>(task), delay});
}

std::uint64_t Solver::solve() {
    // Longest ways to the end, by relaxing until nothing changes.
    std::vector<std::int64_t> height(tasks);
    for (bool changed = true; changed;) {
        changed = false;
        for (const Edge &edge : edges)
            if (height[edge.to] + edge.delay > height[edge.from]) {
                height[edge.from] = height[edge.to] + edge.delay;
                changed = true;
            }
    }
    std::int64_t sum = 0;
    for (int units = 1; units <= UNITS_MAX; units++)
        sum += last_start(height, units);
    return static_cast<std::uint64_t>(sum);
}

// At each time the ready tasks with the longest way before them start.
std::int64_t Solver::last_start(const std::vector<std::int64_t> &height, int units) const {
    std::vector<std::int64_t> when(tasks, -1);
    std::size_t left = tasks;
    std::int64_t last = 0;
    for (std::int64_t time = 0; left > 0; time++) {
        std::vector<bool> waits(tasks);
        for (const Edge &edge : edges)
            if (when[edge.from] < 0 || when[edge.from] + edge.delay > time)
                waits[edge.to] = true;
        for (int unit = 0; unit < units; unit++) {
            std::size_t best = tasks;
            for (std::size_t task = 0; task < tasks; task++)
                if (when[task] < 0 && !waits[task] && (best == tasks || height[task] > height[best]))
                    best = task;
            if (best == tasks)
                break;
            when[best] = last = time;
            left--;
        }
    }
    return last;
}

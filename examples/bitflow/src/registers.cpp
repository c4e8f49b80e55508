#include "registers.h"
#include "analysis.h"
#include <algorithm>
#include <numeric>

namespace {

std::vector<BitSet> interference(const Function &function) {
    std::vector<BitSet> graph(function.variables, BitSet(function.variables));
    std::vector<BitSet> live = live_after(function);
    for (std::size_t index = 0; index < function.blocks.size(); index++) {
        BitSet now = live[index];
        const auto &code = function.blocks[index].code;
        for (auto inst = code.rbegin(); inst != code.rend(); ++inst) {
            if (inst->target >= 0) {
                now.remove(inst->target);
                now.each([&](std::size_t other) {
                    graph[inst->target].add(other);
                    graph[other].add(inst->target);
                });
            }
            inst->each_use([&](int used) { now.add(used); });
        }
    }
    return graph;
}

// Variables by how many others are live with them, most first.
std::vector<int> by_degree(const std::vector<BitSet> &graph) {
    std::vector<int> order(graph.size());
    std::vector<std::size_t> degree(graph.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t index = 0; index < graph.size(); index++)
        degree[index] = graph[index].count();
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        return degree[a] != degree[b] ? degree[a] > degree[b] : a < b;
    });
    return order;
}

std::vector<int> colour(const std::vector<BitSet> &graph, const std::vector<int> &order, const std::vector<bool> &spilled,
                        int registers) {
    std::vector<int> colours(graph.size(), -1);
    for (int variable : order) {
        if (spilled[variable])
            continue;
        std::vector<bool> taken(registers);
        graph[variable].each([&](std::size_t other) {
            if (colours[other] >= 0)
                taken[colours[other]] = true;
        });
        auto place = std::find(taken.begin(), taken.end(), false);
        if (place == taken.end())
            throw Spill(variable);
        colours[variable] = static_cast<int>(place - taken.begin());
    }
    return colours;
}

} // namespace

Assignment assign(const Function &function, int registers) {
    std::vector<BitSet> graph = interference(function);
    std::vector<int> order = by_degree(graph);
    std::vector<bool> spilled(graph.size());
    Assignment made;
    for (;;) {
        try {
            made.registers = colour(graph, order, spilled, registers);
            return made;
        } catch (const Spill &spill) {
            spilled[spill.variable] = true;
            made.spills++;
        }
    }
}

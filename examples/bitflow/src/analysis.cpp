#include "analysis.h"

namespace {

struct Effects {
    BitSet reads, writes;
    explicit Effects(int variables) : reads(variables), writes(variables) {}
};

Effects effects(const Function &function, const Block &block) {
    Effects all(function.variables);
    for (const Inst &inst : block.code) {
        inst.each_use([&](int used) {
            if (!all.writes.has(used))
                all.reads.add(used);
        });
        if (inst.target >= 0)
            all.writes.add(inst.target);
    }
    return all;
}

} // namespace

std::vector<BitSet> live_after(const Function &function) {
    std::vector<Effects> own;
    for (const Block &block : function.blocks)
        own.push_back(effects(function, block));
    std::vector<BitSet> before(function.blocks.size(), BitSet(function.variables));
    std::vector<BitSet> after = before;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t index = function.blocks.size(); index-- > 0;) {
            BitSet out(function.variables);
            for (int next : function.blocks[index].next)
                out |= before[next];
            BitSet in = out;
            in -= own[index].writes;
            in |= own[index].reads;
            changed |= !(in == before[index]);
            before[index] = in;
            after[index] = out;
        }
    }
    return after;
}

std::vector<BitSet> dominators(const Function &function) {
    std::size_t count = function.blocks.size();
    std::vector<BitSet> all(count, BitSet(count, true));
    all[0] = BitSet(count);
    all[0].add(0);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t index = 1; index < count; index++) {
            BitSet now(count, true);
            for (int before : function.blocks[index].before)
                now &= all[before];
            now.add(index);
            changed |= !(now == all[index]);
            all[index] = now;
        }
    }
    return all;
}

std::vector<BitSet> reaching(const Function &function) {
    std::vector<int> targets;
    for (const Block &block : function.blocks)
        for (const Inst &inst : block.code)
            if (inst.target >= 0)
                targets.push_back(inst.target);
    std::vector<BitSet> of_variable(function.variables, BitSet(targets.size()));
    for (std::size_t index = 0; index < targets.size(); index++)
        of_variable[targets[index]].add(index);
    std::vector<BitSet> start(function.blocks.size(), BitSet(targets.size()));
    for (bool changed = true; changed;) {
        changed = false;
        std::size_t definition = 0;
        for (std::size_t index = 0; index < function.blocks.size(); index++) {
            BitSet now = start[index];
            for (const Inst &inst : function.blocks[index].code)
                if (inst.target >= 0) {
                    now -= of_variable[inst.target];
                    now.add(definition++);
                }
            for (int next : function.blocks[index].next) {
                BitSet joined = start[next];
                joined |= now;
                if (!(joined == start[next])) {
                    start[next] = joined;
                    changed = true;
                }
            }
        }
    }
    return start;
}

#include "passes.h"
#include "analysis.h"
#include <array>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace {

std::int64_t compute(Op op, std::uint64_t left, std::uint64_t right) {
    switch (op) {
    case Op::Add: return left + right;
    case Op::Sub: return left - right;
    case Op::Mul: return left * right;
    case Op::And: return left & right;
    case Op::Or: return left | right;
    default: return static_cast<std::int64_t>(left) < static_cast<std::int64_t>(right);
    }
}

class Fold : public Pass {
public:
    bool run(Function &function) override {
        bool changed = false;
        for (Block &block : function.blocks) {
            std::vector<std::optional<std::int64_t>> known(function.variables);
            for (Inst &inst : block.code)
                changed |= fold(inst, known);
        }
        return changed;
    }

private:
    static bool fold(Inst &inst, std::vector<std::optional<std::int64_t>> &known) {
        if (inst.op == Op::Constant) {
            known[inst.target] = inst.value;
            return false;
        }
        bool changed = false;
        std::optional<std::int64_t> result;
        if (inst.op == Op::Copy)
            result = known[inst.left];
        else if (inst.op > Op::Copy && inst.op < Op::Return && known[inst.left] && known[inst.right])
            result = compute(inst.op, *known[inst.left], *known[inst.right]);
        if (inst.target >= 0)
            known[inst.target] = result;
        if (result) {
            inst = Inst{Op::Constant, inst.target, -1, -1, *result};
            changed = true;
        }
        return changed;
    }
};

struct Key {
    Op op;
    int left, right;
    std::int64_t value;
    bool operator==(const Key &other) const {
        return std::tie(op, left, right, value) == std::tie(other.op, other.left, other.right, other.value);
    }
};

struct KeyHash {
    std::size_t operator()(const Key &key) const {
        std::size_t mixed = static_cast<std::size_t>(key.op) * 0x9e3779b97f4a7c15u;
        mixed = (mixed ^ static_cast<std::size_t>(key.left)) * 0xff51afd7ed558ccdu;
        mixed = (mixed ^ static_cast<std::size_t>(key.right)) * 0xc4ceb9fe1a85ec53u;
        return mixed ^ static_cast<std::size_t>(key.value) ^ (mixed >> 29);
    }
};

class Share : public Pass {
public:
    bool run(Function &function) override {
        bool changed = false;
        for (Block &block : function.blocks) {
            std::unordered_map<Key, int, KeyHash> held;
            for (Inst &inst : block.code) {
                if (inst.is_pure() && inst.op != Op::Copy) {
                    auto [place, is_new] = held.try_emplace({inst.op, inst.left, inst.right, inst.value}, inst.target);
                    if (!is_new && place->second != inst.target) {
                        inst = Inst{Op::Copy, inst.target, place->second};
                        changed = true;
                    }
                }
                if (inst.target >= 0)
                    forget(held, inst.target);
            }
        }
        return changed;
    }

private:
    static void forget(std::unordered_map<Key, int, KeyHash> &held, int variable) {
        for (auto place = held.begin(); place != held.end();) {
            const Key &key = place->first;
            bool stale = key.left == variable || key.right == variable;
            place = stale ? held.erase(place) : std::next(place);
        }
    }
};

class Drop : public Pass {
public:
    bool run(Function &function) override {
        std::vector<BitSet> live = live_after(function);
        bool changed = false;
        for (std::size_t index = 0; index < function.blocks.size(); index++) {
            Block &block = function.blocks[index];
            BitSet now = live[index];
            std::vector<Inst> kept;
            for (auto inst = block.code.rbegin(); inst != block.code.rend(); ++inst) {
                if (inst->is_pure() && !now.has(inst->target)) {
                    changed = true;
                    continue;
                }
                if (inst->target >= 0)
                    now.remove(inst->target);
                inst->each_use([&](int used) { now.add(used); });
                kept.push_back(*inst);
            }
            block.code.assign(kept.rbegin(), kept.rend());
        }
        return changed;
    }
};

} // namespace

std::unique_ptr<Pass> folds_constants() { return std::make_unique<Fold>(); }
std::unique_ptr<Pass> shares_expressions() { return std::make_unique<Share>(); }
std::unique_ptr<Pass> drops_dead_code() { return std::make_unique<Drop>(); }

int optimise(Function &function) {
    std::array<std::unique_ptr<Pass>, 3> passes = {folds_constants(), shares_expressions(), drops_dead_code()};
    int rounds = 0;
    for (bool changed = true; changed && rounds < 8; rounds++) {
        changed = false;
        for (auto &pass : passes)
            changed |= pass->run(function);
    }
    return rounds;
}

// Three-address code in blocks.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

enum class Op { Constant, Copy, Add, Sub, Mul, And, Or, Less, Return, Branch, Jump, Call };

struct Inst {
    Op op;
    int target = -1;
    int left = -1, right = -1;
    std::int64_t value = 0;

    bool is_pure() const { return op < Op::Return; }
    template <typename Visit> void each_use(Visit visit) const {
        if (left >= 0)
            visit(left);
        if (right >= 0)
            visit(right);
    }
};

struct Block {
    std::vector<Inst> code;
    std::vector<int> next, before;
};

struct Function {
    std::string name;
    std::vector<Block> blocks;
    int variables = 0;
    int parameters = 0;

    void link() {
        for (Block &block : blocks)
            block.before.clear();
        for (std::size_t from = 0; from < blocks.size(); from++)
            for (int to : blocks[from].next)
                blocks[to].before.push_back(static_cast<int>(from));
    }
};

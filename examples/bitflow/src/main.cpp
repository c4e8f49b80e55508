// Compiles files of a small language: reads, optimises, assigns registers, schedules. One line for each file.
#include "analysis.h"
#include "parser.h"
#include "passes.h"
#include "registers.h"
#include "solver.h"
#include <fstream>
#include <iostream>

namespace {

constexpr int REGISTERS = 12;

// When the last of these instructions starts at the earliest, by what each waits for.
std::uint64_t length(const std::vector<Inst> &code, int variables) {
    Solver solver(code.size());
    std::vector<int> written(variables, -1);
    for (std::size_t index = 0; index < code.size(); index++) {
        const Inst &inst = code[index];
        inst.each_use([&](int used) {
            if (written[used] >= 0)
                solver.after(index, written[used], code[written[used]].op == Op::Mul ? 3 : 1);
        });
        if (inst.target >= 0)
            written[inst.target] = static_cast<int>(index);
    }
    return solver.solve();
}

// Of each block by itself, and of all of them as one.
std::uint64_t schedule(const Function &function) {
    std::uint64_t sum = 0;
    std::vector<Inst> all;
    for (const Block &block : function.blocks) {
        sum += length(block.code, function.variables);
        all.insert(all.end(), block.code.begin(), block.code.end());
    }
    return sum * 31 + length(all, function.variables);
}

std::uint64_t compile(Function &function) {
    int rounds = optimise(function);
    std::uint64_t sum = rounds;
    for (const BitSet &of_block : dominators(function))
        sum = sum * 31 + of_block.count();
    for (const BitSet &of_block : reaching(function))
        sum = sum * 31 + of_block.count();
    Assignment made = assign(function, REGISTERS);
    for (int chosen : made.registers)
        sum = sum * 31 + static_cast<std::uint64_t>(chosen + 1);
    return sum * 31 + made.spills * 7 + schedule(function);
}

} // namespace

int main(int count, char **words) {
    for (int index = 1; index < count; index++) {
        std::ifstream input(words[index]);
        if (!input) {
            std::cerr << words[index] << ": cannot be read" << std::endl;
            return 1;
        }
        try {
            Program program = Parser(input).program();
            std::uint64_t sum = 0;
            for (Function &function : program.functions)
                sum = sum * 1000003 + compile(function);
            std::cout << words[index] << ": " << program.functions.size() << " functions, " << program.errors
                      << " errors, " << std::hex << sum << std::dec << std::endl;
        } catch (const SyntaxError &error) {
            std::cerr << words[index] << ":" << error.line << ": " << error.what() << std::endl;
            return 1;
        }
    }
}

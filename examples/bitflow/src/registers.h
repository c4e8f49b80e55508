#pragma once
#include "ir.h"
#include <stdexcept>

struct Spill : std::runtime_error {
    int variable;
    explicit Spill(int variable) : std::runtime_error("too few registers"), variable(variable) {}
};

struct Assignment {
    std::vector<int> registers;
    int spills = 0;
};

// Colours the graph of variables that are live together; what finds no colour is spilled, and it begins again.
Assignment assign(const Function &function, int registers);

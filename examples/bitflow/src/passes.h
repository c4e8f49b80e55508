#pragma once
#include "ir.h"
#include <memory>

class Pass {
public:
    virtual ~Pass() = default;
    virtual bool run(Function &function) = 0;
};

std::unique_ptr<Pass> folds_constants();
std::unique_ptr<Pass> shares_expressions();
std::unique_ptr<Pass> drops_dead_code();

// Runs all passes until none changes anything; gives the rounds.
int optimise(Function &function);

#pragma once
#include "bitset.h"
#include "ir.h"

// Variables that are read after each block before they are written.
std::vector<BitSet> live_after(const Function &function);
// Blocks on every way to each block.
std::vector<BitSet> dominators(const Function &function);
// Definitions, counted through the function, that reach the start of each block.
std::vector<BitSet> reaching(const Function &function);

// Bodies of a fuzzer, which read any bytes from outside. A body ends the process where something is wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::mesh::testing {

// Reads bytes by the reader that the first one chooses.
void fuzz(std::string_view bytes);

// Returns bytes that are right, or nearly, for each reader: where damage begins.
std::vector<std::string> fuzz_seeds();

}  // namespace hone::mesh::testing

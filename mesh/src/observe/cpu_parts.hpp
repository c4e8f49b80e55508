// The CPU time of each part of the proxy, computed from the stacks of a profile.
#pragma once

#include <string>
#include <string_view>

namespace hone::mesh {

// Returns a table of parts with their shares of the time, the largest first: each filter, the wires, routes, clusters
// and others. `folded` has a line for each stack: its functions with semicolons between them, the outermost first, a
// space and the stack's amount of the time.
std::string cpu_parts(std::string_view folded);

}  // namespace hone::mesh

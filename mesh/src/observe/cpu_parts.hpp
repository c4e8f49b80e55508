// Where CPU time went, by the parts of the proxy: made of the stacks of a profile.
#pragma once

#include <string>
#include <string_view>

namespace hone::mesh {

// Returns a table of parts with their shares of the time, the largest first: each filter, the wires, routes,
// clusters and what is the kernel's. `folded` has a line for each stack: functions with semicolons between them, the
// outermost first, a space and how much of the time it has.
std::string cpu_parts(std::string_view folded);

}  // namespace hone::mesh

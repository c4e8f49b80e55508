// Time of a worker: nanoseconds of the monotonic clock, read once for each turn of its loop.
#pragma once

#include <chrono>

namespace hone::mesh {

using Duration = std::chrono::nanoseconds;
// Moment is a time of CLOCK_MONOTONIC.
using Moment = std::chrono::time_point<std::chrono::steady_clock, Duration>;

inline constexpr Moment kNever = Moment::max();

}  // namespace hone::mesh

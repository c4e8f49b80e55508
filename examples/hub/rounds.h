// Rounds of work with pauses between them: load that comes and goes, as that of a server.
//
// Rounds are of random length, and so are the pauses: nothing keeps step with a profiler that looks at fixed times.
#pragma once

#include <chrono>
#include <ctime>
#include <random>
#include <thread>

using Random = std::mt19937_64;

/// CPU time that this process has used.
inline double cpu_s() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

/// Calls `round(random, size)` for so many seconds, with pauses that leave about two thirds of a CPU.
template <typename Round>
void do_rounds(double seconds, Round round) {
  Random random{std::random_device{}()};
  std::uniform_int_distribution<int> size{20, 200};
  std::uniform_real_distribution<double> pause{1.0, 3.0};
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    const double before_s = cpu_s();
    round(random, size(random));
    std::this_thread::sleep_for(std::chrono::duration<double>((cpu_s() - before_s) * pause(random)));
  }
}

// Measures the shares of its memory and CPU time that the process uses, and reports them to workers.
#pragma once

#include <cstdint>

#include "config/snapshot.hpp"
#include "event/loop.hpp"
#include "overload/pressure.hpp"
#include "process/control_group.hpp"

namespace hone::mesh {

// Overload belongs to the main thread.
class Overload {
 public:
  // Each look calls `full` while there is too little memory.
  Overload(Loop& loop, const ControlGroup& group, Pressure& pressure, Delegate<void()> full);
  Overload(const Overload&) = delete;
  Overload& operator=(const Overload&) = delete;

  void change(const OverloadSpec& spec);
  // The shares of the allowed memory and CPU time that are in use, in thousandths; zero where there is no limit.
  std::uint32_t memory() const { return memory_; }
  std::uint32_t cpu() const { return cpu_; }

 private:
  void look();
  void look_at_memory();
  void look_at_cpu();

  Loop& loop_;
  const ControlGroup& group_;
  Pressure& pressure_;
  const Delegate<void()> full_;
  Timer timer_;
  OverloadSpec spec_;
  // The number of CPUs that cpu_percent is a share of.
  double cpus_ = 0;
  std::uint32_t memory_ = 0;
  std::uint32_t cpu_ = 0;
  Moment looked_;
  std::uint64_t cpu_us_ = 0;
  int looks_ = 0;
  double smooth_cpus_ = 0;
};

}  // namespace hone::mesh

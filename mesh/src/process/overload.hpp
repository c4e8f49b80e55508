// Looks how much of its memory and CPU time the process uses, and tells workers.
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
  // `full` is called while there is too little memory, by each look.
  Overload(Loop& loop, const ControlGroup& group, Pressure& pressure, Delegate<void()> full);
  Overload(const Overload&) = delete;
  Overload& operator=(const Overload&) = delete;

  void change(const OverloadSpec& spec);
  // Of what may be used, in thousandths; zero where there is no limit.
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
  // What cpu_percent is of.
  double cpus_ = 0;
  std::uint32_t memory_ = 0;
  std::uint32_t cpu_ = 0;
  Moment looked_;
  std::uint64_t cpu_us_ = 0;
  int looks_ = 0;
  double smooth_cpus_ = 0;
};

}  // namespace hone::mesh

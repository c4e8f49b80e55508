#include "process/overload.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "base/memory.hpp"
#include "process/cpus.hpp"

namespace hone::mesh {
namespace {

// The time between two looks. The growth of memory between them is bounded by the memory that workers count themselves.
constexpr Duration kLookEvery = std::chrono::milliseconds(50);
// While less than kMuch thousandths of the memory are in use, only one look of kSeldom reads the memory: the control
// group is dear to read.
constexpr std::uint32_t kMuch = 500;
constexpr int kSeldom = 8;
// The weight of one look at the CPU time in use: half of the sum is of the last 350 ms.
constexpr double kWeight = 0.1;

// Returns the process's memory in bytes, without the kernel's memory for it; nothing where no descriptor is left to
// read it.
std::optional<std::uint64_t> resident() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t pages = 0;
  if (!(file >> all >> pages)) return std::nullopt;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t cpu_time_us() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto us = [](const timeval& time) { return time.tv_sec * 1'000'000 + time.tv_usec; };
  return static_cast<std::uint64_t>(us(used.ru_utime) + us(used.ru_stime));
}

std::uint32_t thousandths(double part) {
  return static_cast<std::uint32_t>(std::clamp(part * 1000, 0.0, 10'000.0));
}

}  // namespace

Overload::Overload(Loop& loop, const ControlGroup& group, Pressure& pressure, Delegate<void()> full)
    : loop_(loop),
      group_(group),
      pressure_(pressure),
      full_(full),
      timer_(Delegate<void()>::of<&Overload::look>(*this)) {}

void Overload::change(const OverloadSpec& spec) {
  spec_ = spec;
  cpus_ = group_.cpus().value_or(usable_cpus(group_));
  const bool has_limit = spec_.memory || group_.memory_limit() || spec_.cpu_percent;
  memory_ = cpu_ = 0;
  looks_ = kSeldom - 1;
  looked_ = loop_.now();
  cpu_us_ = cpu_time_us();
  if (has_limit) return look();
  timer_.cancel();
  pressure_.set(0);
  pressure_.set_memory(0, 0);
}

void Overload::look() {
  if (memory_ >= kMuch || ++looks_ % kSeldom == 0) look_at_memory();
  look_at_cpu();
  pressure_.set(std::max(memory_, cpu_));
  loop_.set(timer_, loop_.now() + kLookEvery);
}

// The limit of the group counts only where most of the memory in use is this process's: a neighbour that is always near
// the limit, such as a program with a heap of fixed size, is no reason to turn requests away.
void Overload::look_at_memory() {
  const std::optional<std::uint64_t> own = resident();
  if (!own) return;
  std::uint64_t limit = spec_.memory.value_or(0);
  std::uint64_t used = limit == 0 ? 0 : *own;
  const std::optional<std::uint64_t> all = group_.memory_used();
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  const std::uint64_t most = group_.memory_limit().value_or(0);
  if (all && *own >= *all / 2 && (limit == 0 || share(*all, most) > share(used, limit))) {
    limit = most;
    used = *all;
  }
  pressure_.set_memory(limit, used);
  memory_ = limit == 0 ? 0 : thousandths(share(used, limit));
  // The allocator may still hold memory that was freed since.
  if (memory_ < Pressure::kFull) return;
  give_memory_back();
  full_();
}

void Overload::look_at_cpu() {
  const Moment now = loop_.now();
  const double passed_us = std::chrono::duration<double, std::micro>(now - looked_).count();
  const std::uint64_t used_us = cpu_time_us();
  if (spec_.cpu_percent && passed_us > 0) {
    const double cpus = static_cast<double>(used_us - cpu_us_) / passed_us;
    smooth_cpus_ += kWeight * (cpus - smooth_cpus_);
    const double allowed = cpus_ * *spec_.cpu_percent / 100;
    // At all of the allowed CPU time, all requests of normal priority are turned away. Requests of high priority are
    // never turned away to save CPU time.
    cpu_ = std::min(Pressure::kHighOnly, thousandths(smooth_cpus_ / allowed * Pressure::kHighOnly / 1000));
  }
  looked_ = now;
  cpu_us_ = used_us;
}

}  // namespace hone::mesh

#pragma once

#include <cstdint>

namespace mesh {

/// Where filters get the time from. A proxy gives them its event loop's cached clock; tests and the
/// driver advance a clock by hand, so no run depends on the machine.
class TimeSource {
 public:
  virtual ~TimeSource() = default;
  virtual uint64_t nowUs() const = 0;
};

class ManualTime : public TimeSource {
 public:
  explicit ManualTime(uint64_t startUs) : nowUs_(startUs) {}
  uint64_t nowUs() const override { return nowUs_; }
  void advance(uint64_t stepUs) { nowUs_ += stepUs; }

 private:
  uint64_t nowUs_;
};

}  // namespace mesh

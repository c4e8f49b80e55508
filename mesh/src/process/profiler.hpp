// The process's own profile, taken by the command hone, which is beside this program or in PATH.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "net/descriptor.hpp"
#include "net/parts.hpp"

namespace hone::mesh {

// Profiler takes one profile at a time.
class Profiler {
 public:
  // Result is the bytes of a profile, or the reason why there are none.
  struct Result {
    bool is_there = false;
    std::string text;
  };

  explicit Profiler(Parts parts);
  ~Profiler();

  bool is_busy() const { return child_ > 0; }
  // Begins to record this process for `seconds`, and to write the profile in the form that hone view calls `form`.
  // Returns the reason why it cannot, and then does not call `done`; empty where it has begun.
  std::string begin(unsigned seconds, std::string_view form, Delegate<void(const Result&)> done);
  // Ends a profile that nobody waits for any more.
  void stop();

 private:
  void on_readable(Ready);
  void on_late();
  void finish();
  // Waits for the child's end, and removes the files that it has written. Returns the child's status, 0 if all went
  // well.
  int clear();

  Parts parts_;
  Delegate<void(const Result&)> done_;
  std::string directory_;
  pid_t child_ = 0;
  Descriptor output_;
  std::optional<Watch> watch_;
  Timer late_;
  std::string read_;
};

}  // namespace hone::mesh

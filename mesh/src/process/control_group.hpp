// The limits of the control group that the process is in (cgroups(7)), for both versions of the kernel's interface.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hone::mesh {

// ControlGroup knows the folders of the process's group. It reads the limits once, and the memory in use at each call.
class ControlGroup {
 public:
  // `root` stands before all paths: for tests.
  explicit ControlGroup(const std::string& root = "");

  // Returns the bytes that the group, or one above it, may use; nothing where there is no limit.
  std::optional<std::uint64_t> memory_limit() const { return memory_limit_; }
  // Returns the bytes of that limit that are in use, without copies of files that the kernel takes back when it needs
  // to.
  std::optional<std::uint64_t> memory_used() const;
  // Returns the CPU time that the group, or one above it, may use, as a number of CPUs; nothing where there is no
  // limit.
  std::optional<double> cpus() const { return cpus_; }

 private:
  // Place holds the folder of a controller's group, and the folder where the tree of groups begins.
  struct Place {
    std::string folder;
    std::string top;
    bool is_v2 = false;
  };

  static std::optional<Place> find(const std::string& root, const std::string& controller);
  void read_memory(const Place& place);
  void read_cpus(const Place& place);

  std::optional<std::uint64_t> memory_limit_;
  // The folder of the group that has the limit.
  std::string memory_folder_;
  bool is_memory_v2_ = false;
  std::optional<double> cpus_;
};

}  // namespace hone::mesh

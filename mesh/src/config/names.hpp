// Numbers of named things, which stay the same however often the configuration is read again.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace hone::mesh::config {

// Numbers gives names numbers from 0 on.
class Numbers {
 public:
  // Returns the number of a name, a new one where it has none yet.
  std::uint32_t of(const std::string& name) {
    const auto [found, is_new] = known_.try_emplace(name);
    if (!is_new) return found->second;
    if (free_.empty()) {
      found->second = static_cast<std::uint32_t>(names_.size());
      names_.push_back(&found->first);
    } else {
      found->second = free_.back();
      names_[free_.back()] = &found->first;
      free_.pop_back();
    }
    return found->second;
  }
  // Frees all numbers but those that are true in `used`, for other names.
  void keep_only(const std::vector<bool>& used) {
    std::erase_if(known_, [&](const auto& one) {
      if (one.second < used.size() && used[one.second]) return false;
      names_[one.second] = nullptr;
      free_.push_back(one.second);
      return true;
    });
  }
  // Returns one more than the largest number so far.
  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }
  // Returns the name of a number, empty where the number is free.
  std::string name_of(std::uint32_t number) const { return names_[number] == nullptr ? "" : *names_[number]; }

 private:
  std::unordered_map<std::string, std::uint32_t> known_;
  std::vector<const std::string*> names_;
  std::vector<std::uint32_t> free_;
};

// Names holds the numbers for all configurations that one process reads.
struct Names {
  Numbers clusters;
  // Numbers for routes; a route's own number is one more.
  Numbers routes;
};

}  // namespace hone::mesh::config

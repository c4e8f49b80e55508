// Numbers of what has a name, which stay the same however often the configuration is read again.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hone::mesh::config {

// Numbers gives names numbers from 0 on.
class Numbers {
 public:
  // Returns the number of a name, a new one where it has none yet.
  std::uint32_t of(const std::string& name) {
    const auto [found, is_new] = known_.try_emplace(name);
    found->second.is_used = true;
    if (!is_new) return found->second.number;
    if (free_.empty()) {
      found->second.number = static_cast<std::uint32_t>(names_.size());
      names_.push_back(&found->first);
    } else {
      found->second.number = free_.back();
      names_[free_.back()] = &found->first;
      free_.pop_back();
    }
    return found->second.number;
  }
  // Frees the numbers of names that were not asked for since the last call, for others.
  void forget_unused() {
    for (auto at = known_.begin(); at != known_.end();) {
      if (std::exchange(at->second.is_used, false)) {
        ++at;
        continue;
      }
      free_.push_back(at->second.number);
      names_[at->second.number] = nullptr;
      at = known_.erase(at);
    }
  }
  // The largest number yet is one less.
  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }
  // Returns the name of a number, nothing where it is free.
  std::string name_of(std::uint32_t number) const { return names_[number] == nullptr ? "" : *names_[number]; }

 private:
  struct Known {
    std::uint32_t number = 0;
    bool is_used = false;
  };

  std::unordered_map<std::string, Known> known_;
  std::vector<const std::string*> names_;
  std::vector<std::uint32_t> free_;
};

// Names are those of all configurations that one process reads.
struct Names {
  Numbers clusters;
  // Of routes; a route's number is one more.
  Numbers routes;
};

}  // namespace hone::mesh::config

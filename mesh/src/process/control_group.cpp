#include "process/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

namespace hone::mesh {
namespace {

// A limit from here on is none: where there is no limit, version 1 reports a number that is as good as all memory.
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 60;

std::vector<std::string> words_of(const std::string& text, char separator) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);) words.push_back(word);
  return words;
}

bool has_word(const std::string& list, const std::string& word) {
  const std::vector<std::string> words = words_of(list, ',');
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<std::string> first_word(const std::string& path) {
  std::string word;
  if (std::ifstream(path) >> word) return word;
  return std::nullopt;
}

std::optional<std::uint64_t> number_in(const std::string& path) {
  const std::optional<std::string> word = first_word(path);
  if (!word || word->find_first_not_of("0123456789") != word->npos || word->size() > 19) return std::nullopt;
  return std::stoull(*word);
}

// Returns the number behind a name in a file of names and numbers; 0 where the name is not there.
std::uint64_t number_of(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  std::string word;
  std::uint64_t number = 0;
  while (file >> word >> number) {
    if (word == name) return number;
  }
  return 0;
}

}  // namespace

ControlGroup::ControlGroup(const std::string& root) {
  if (const auto place = find(root, "memory")) read_memory(*place);
  if (const auto place = find(root, "cpu")) read_cpus(*place);
}

// Finds the group of a controller by the groups of the process and by the mounts (proc(5)).
std::optional<ControlGroup::Place> ControlGroup::find(const std::string& root, const std::string& controller) {
  std::string path;
  bool is_v2 = false;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    // A controller that version 1 has is not in version 2.
    if (!has_word(controllers, controller) && (!controllers.empty() || !path.empty())) continue;
    path = line.substr(second + 1);
    is_v2 = controllers.empty();
    if (!is_v2) break;
  }
  if (path.empty()) return std::nullopt;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == line.npos) continue;
    const std::vector<std::string> left = words_of(line.substr(0, dash), ' ');
    const std::vector<std::string> right = words_of(line.substr(dash + 3), ' ');
    if (left.size() < 5 || right.size() < 3) continue;
    const bool is_it = is_v2 ? right[0] == "cgroup2" : right[0] == "cgroup" && has_word(right[2], controller);
    if (!is_it) continue;
    // The mount may be a part of the tree, and the path may begin above that part.
    const std::string& part = left[3];
    if (part != "/" && path.starts_with(part)) path = path.substr(part.size());
    const std::string top = root + left[4];
    std::string folder = top + (path == "/" ? "" : path);
    if (!std::ifstream(folder + "/cgroup.procs")) folder = top;
    return Place{folder, top, is_v2};
  }
  return std::nullopt;
}

void ControlGroup::read_memory(const Place& place) {
  is_memory_v2_ = place.is_v2;
  const std::string name = place.is_v2 ? "/memory.max" : "/memory.limit_in_bytes";
  for (std::string folder = place.folder; folder.size() >= place.top.size(); folder.resize(folder.rfind('/'))) {
    const std::optional<std::uint64_t> limit = number_in(folder + name);
    if (!limit || *limit >= kNoLimit || (memory_limit_ && *limit >= *memory_limit_)) continue;
    memory_limit_ = limit;
    memory_folder_ = folder;
  }
}

std::optional<std::uint64_t> ControlGroup::memory_used() const {
  if (!memory_limit_) return std::nullopt;
  const auto used = number_in(memory_folder_ + (is_memory_v2_ ? "/memory.current" : "/memory.usage_in_bytes"));
  if (!used) return std::nullopt;
  const std::string files = is_memory_v2_ ? "inactive_file" : "total_inactive_file";
  return *used - std::min(*used, number_of(memory_folder_ + "/memory.stat", files));
}

void ControlGroup::read_cpus(const Place& place) {
  for (std::string folder = place.folder; folder.size() >= place.top.size(); folder.resize(folder.rfind('/'))) {
    std::string quota = first_word(folder + (place.is_v2 ? "/cpu.max" : "/cpu.cfs_quota_us")).value_or("max");
    std::uint64_t period = number_in(folder + "/cpu.cfs_period_us").value_or(0);
    if (place.is_v2) std::ifstream(folder + "/cpu.max") >> quota >> period;
    if (period == 0 || quota.empty() || quota.find_first_not_of("0123456789") != quota.npos) continue;
    const double cpus = std::stod(quota) / static_cast<double>(period);
    if (cpus > 0 && (!cpus_ || cpus < *cpus_)) cpus_ = cpus;
  }
}

}  // namespace hone::mesh

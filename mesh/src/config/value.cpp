#include "config/value.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "http/target.hpp"

namespace hone::mesh::config {
namespace {

// Returns the number of letters to change, add or take away to make one word of another.
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t at = 0; at < row.size(); ++at) row[at] = at;
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t changed = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

std::string remedy_for(std::string_view key, std::initializer_list<std::string_view> known) {
  std::string_view nearest;
  std::size_t least = key.size() / 3 + 2;
  std::string all;
  for (const std::string_view one : known) {
    if (const std::size_t far = distance(key, one); far < least) {
      least = far;
      nearest = one;
    }
    all.append(all.empty() ? "" : ", ").append(one);
  }
  if (!nearest.empty()) return "did you mean " + std::string(nearest) + "?";
  return "known here: " + all;
}

std::uint64_t fingerprint_of(const YAML::Node& node, std::uint64_t seed) {
  if (node.IsScalar()) return hash_of(node.Scalar(), seed);
  std::uint64_t hash = mixed(seed + static_cast<std::uint64_t>(node.Type()) + node.size());
  for (const auto& entry : node) {
    if (node.IsMap()) {
      hash = fingerprint_of(entry.second, fingerprint_of(entry.first, hash));
    } else {
      hash = fingerprint_of(entry, hash);
    }
  }
  return hash;
}

}  // namespace

void Faults::add(int line, const std::string& where, const std::string& problem, const std::string& remedy) {
  std::string text = file_;
  if (line > 0) text.append(":").append(std::to_string(line));
  text.append(": ");
  if (!where.empty()) text.append(where).append(": ");
  lines_.push_back(text.append(problem).append("; ").append(remedy));
}

std::uint64_t Value::fingerprint() const {
  return fingerprint_of(node_, 0);
}

void Value::fault(const std::string& problem, const std::string& remedy) const {
  faults_->add(line(), where_, problem, remedy);
}

std::optional<std::string> Value::text() const {
  if (node_.IsScalar()) return node_.Scalar();
  fault("this is no text", "write one word or a text in quotes");
  return std::nullopt;
}

std::optional<std::uint64_t> Value::number(std::uint64_t least, std::uint64_t most) const {
  const std::optional<std::string> written = text();
  if (!written) return std::nullopt;
  const std::optional<std::uint64_t> value = mesh::number(*written);
  if (value && *value >= least && *value <= most) return value;
  fault("\"" + *written + "\" is not possible",
        "write a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return std::nullopt;
}

std::optional<Duration> Value::duration(bool may_be_none) const {
  const std::optional<std::string> written = text();
  if (!written) return std::nullopt;
  if (may_be_none && *written == "none") return Duration(0);
  const std::size_t unit_at = std::min(written->find_first_not_of("0123456789"), written->size());
  const std::string unit = written->substr(unit_at);
  const std::optional<std::uint64_t> count = mesh::number(std::string_view(*written).substr(0, unit_at));
  constexpr std::uint64_t kMost = 1'000'000;
  if (count && *count > 0 && *count <= kMost) {
    const auto value = static_cast<std::int64_t>(*count);
    if (unit == "ms") return std::chrono::milliseconds(value);
    if (unit == "s") return std::chrono::seconds(value);
    if (unit == "m") return std::chrono::minutes(value);
  }
  const std::string none = may_be_none ? ", or none" : "";
  if (unit.empty() && count) {
    fault("\"" + *written + "\" has no unit", "write " + *written + "s or " + *written + "ms" + none);
  } else {
    fault("\"" + *written + "\" is no duration", "write a number with its unit, such as 250ms, 10s or 5m" + none);
  }
  return std::nullopt;
}

std::optional<double> Value::real(double least, double most) const {
  const std::optional<std::string> written = text();
  if (!written) return std::nullopt;
  double value = 0;
  const char* const end = written->data() + written->size();
  const auto [stopped, error] = std::from_chars(written->data(), end, value, std::chars_format::fixed);
  if (error == std::errc() && stopped == end && value >= least && value <= most) return value;
  char range[80];
  std::snprintf(range, sizeof range, "write a number from %g to %g, such as %g", least, most, (least + most) / 8);
  fault("\"" + *written + "\" is not possible", range);
  return std::nullopt;
}

std::optional<std::uint32_t> Value::share() const {
  const std::optional<double> percent = real(0, 100);
  if (!percent) return std::nullopt;
  return static_cast<std::uint32_t>(*percent * 10'000 + 0.5);
}

std::optional<Address> Value::address() const {
  const std::optional<std::string> written = text();
  if (!written) return std::nullopt;
  if (std::optional<Address> address = Address::parse(*written)) return address;
  fault("\"" + *written + "\" is no address",
        "write numbers with a port, such as 127.0.0.1:8080 or [::1]:8080, unix:/path, or shm:/path; names are "
        "not looked up");
  return std::nullopt;
}

std::optional<std::string> Value::authority() const {
  std::optional<std::string> written = text();
  if (!written || is_authority(*written)) return written;
  fault("\"" + *written + "\" is no host", "write a name, with a port if need be");
  return std::nullopt;
}

std::optional<std::string> Value::target() const {
  std::optional<std::string> written = text();
  if (!written || (written->starts_with('/') && written->find_first_of("# ") == written->npos)) return written;
  fault("\"" + *written + "\" is no path", "begin with a slash");
  return std::nullopt;
}

std::vector<Value> Value::list() const {
  if (!node_.IsSequence()) return {*this};
  std::vector<Value> items;
  for (std::size_t at = 0; at < node_.size(); ++at) {
    items.emplace_back(node_[at], where_ + "[" + std::to_string(at) + "]", *faults_);
  }
  return items;
}

std::vector<std::pair<std::string, Value>> Value::entries() const {
  std::vector<std::pair<std::string, Value>> all;
  if (!node_.IsMap()) {
    fault("this is no map", "write names with values below it");
    return all;
  }
  for (const auto& entry : node_) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
    all.emplace_back(key, Value(entry.second, where_ + "." + key, *faults_));
  }
  return all;
}

Section::Section(const Value& value, std::initializer_list<std::string_view> known) : value_(value) {
  if (!value_.node_.IsMap()) {
    if (!value_.node_.IsNull())
      value_.fault("this is no map",
                   "write keys with values below it, such as " + std::string(*known.begin()) + ": ...");
    return;
  }
  // The map is read once: to walk over a map of YAML is dear.
  for (const auto& entry : value_.node_) {
    std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
    const int line = entry.first.Mark().line + 1;
    const auto is_same = [&](const auto& one) { return one.first == key; };
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      value_.faults_->add(line, value_.where_, "there is no key \"" + key + "\"", remedy_for(key, known));
    } else if (std::any_of(entries_.begin(), entries_.end(), is_same)) {
      value_.faults_->add(line, value_.where_, "the key \"" + key + "\" comes twice", "leave one of them");
    }
    entries_.emplace_back(std::move(key), entry.second);
  }
}

std::optional<Value> Section::find(std::string_view key) const {
  for (const auto& [name, node] : entries_) {
    if (name != key) continue;
    const std::string where = value_.where_.empty() ? name : value_.where_ + "." + name;
    return Value(node, where, *value_.faults_);
  }
  return std::nullopt;
}

std::optional<Value> Section::need(std::string_view key, const std::string& remedy) const {
  std::optional<Value> found = find(key);
  if (!found) value_.fault("the key \"" + std::string(key) + "\" is missing", remedy);
  return found;
}

}  // namespace hone::mesh::config

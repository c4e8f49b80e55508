// Values of a YAML file with their places, read so that every fault names its line and a remedy.
//
// Reading goes on behind a fault, so that a user sees all faults at once. A faulty value leaves the default, and no
// configuration is made where there were faults.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "net/address.hpp"

namespace hone::mesh::config {

// Faults gathers the faults of one file.
class Faults {
 public:
  explicit Faults(std::string file) : file_(std::move(file)) {}

  // Adds "FILE:LINE: where: problem; remedy". Lines count from 1; zero leaves the line out.
  void add(int line, const std::string& where, const std::string& problem, const std::string& remedy);
  bool is_empty() const { return lines_.empty(); }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::string file_;
  std::vector<std::string> lines_;
};

class Section;

// Value is one node, with the functions that read it. A function that returns nothing has added a fault.
class Value {
 public:
  Value(YAML::Node node, std::string where, Faults& faults)
      : node_(std::move(node)), line_(node_.Mark().line + 1), where_(std::move(where)), faults_(&faults) {}

  void fault(const std::string& problem, const std::string& remedy) const;
  int line() const { return line_; }
  const std::string& where() const { return where_; }
  bool is_map() const { return node_.IsMap(); }
  bool is_list() const { return node_.IsSequence(); }
  bool is_text() const { return node_.IsScalar(); }
  Faults& faults() const { return *faults_; }

  std::optional<std::string> text() const;
  // Returns a number that is the same for values with the same content.
  std::uint64_t fingerprint() const;
  std::optional<std::uint64_t> number(std::uint64_t least, std::uint64_t most) const;
  // Reads a number with its unit, ms, s or m; or "none", which is zero, where that is allowed.
  std::optional<Duration> duration(bool may_be_none = false) const;
  std::optional<Address> address() const;
  // Read the value of Host, and the target of a request: a path, perhaps with a query.
  std::optional<std::string> authority() const;
  std::optional<std::string> target() const;
  // Reads "true" or "false".
  std::optional<bool> truth() const { return choice<bool>({{"true", true}, {"false", false}}); }
  // Reads a number that need not be whole.
  std::optional<double> real(double least, double most) const;
  // Reads a percentage, such as 12 or 0.5, as a share of a million.
  std::optional<std::uint32_t> share() const;
  // Reads one of these words.
  template <class Choice>
  std::optional<Choice> choice(std::initializer_list<std::pair<std::string_view, Choice>> choices) const {
    const std::optional<std::string> word = text();
    if (!word) return std::nullopt;
    std::string all;
    for (const auto& [name, value] : choices) {
      if (name == *word) return value;
      all.append(all.empty() ? "" : ", ").append(name);
    }
    fault("\"" + *word + "\" is not known", "write one of: " + all);
    return std::nullopt;
  }
  // Returns the items of a list, or the value itself: a list of one may be written without brackets.
  std::vector<Value> list() const;
  // Returns the entries of a map whose keys are not known beforehand.
  std::vector<std::pair<std::string, Value>> entries() const;
  // Returns an empty value at the same place.
  Value nothing() const {
    Value made = *this;
    made.node_.reset(YAML::Node());
    return made;
  }

 private:
  friend class Section;

  YAML::Node node_;
  int line_;
  std::string where_;
  Faults* faults_;
};

// Section is a map with known keys.
class Section {
 public:
  // Adds a fault for each key that is not known or comes twice, with the key that was probably meant.
  Section(const Value& value, std::initializer_list<std::string_view> known);

  std::optional<Value> find(std::string_view key) const;
  // Adds a fault where the key is missing.
  std::optional<Value> need(std::string_view key, const std::string& remedy) const;
  bool has(std::string_view key) const { return find(key).has_value(); }
  const Value& value() const { return value_; }

  // Sets a variable to the meaning of a value, if the value is there and right.
  template <class Target, class Read>
  void set(std::string_view key, Target& target, Read read) const {
    if (const std::optional<Value> value = find(key)) {
      if (auto meant = read(*value)) target = static_cast<Target>(*std::move(meant));
    }
  }

 private:
  Value value_;
  std::vector<std::pair<std::string, YAML::Node>> entries_;
};

// Readers for Section::set.
inline constexpr auto kText = [](const Value& value) { return value.text(); };
inline constexpr auto kAuthority = [](const Value& value) { return value.authority(); };
inline constexpr auto kTarget = [](const Value& value) { return value.target(); };
inline constexpr auto kTruth = [](const Value& value) { return value.truth(); };
inline constexpr auto kShare = [](const Value& value) { return value.share(); };
inline constexpr auto kDuration = [](const Value& value) { return value.duration(); };

}  // namespace hone::mesh::config

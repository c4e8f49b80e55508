// The refusals and notes about an Envoy configuration, made while it is read.
#pragma once

#include <string>
#include <vector>

namespace hone::mesh::envoy {

// Findings holds refusals and notes, each in the order in which the configuration was read.
class Findings {
 public:
  // Adds something that hone-mesh does not do: nothing is made of the configuration.
  void refuse(const std::string& where, const std::string& why) {
    refused_.push_back(where.empty() ? why : where + ": " + why);
  }
  // Adds something that hone-mesh does in another way, and that does not keep it from serving.
  void note(const std::string& where, const std::string& what) { noted_.push_back(where + ": " + what); }

  const std::vector<std::string>& refused() const { return refused_; }
  const std::vector<std::string>& noted() const { return noted_; }

 private:
  std::vector<std::string> refused_;
  std::vector<std::string> noted_;
};

}  // namespace hone::mesh::envoy

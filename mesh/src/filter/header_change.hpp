// Header fields that are set, added and removed on the way.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "filter/filter.hpp"

namespace hone::mesh {

// FieldChanges are made in this order: a field that was removed may be added again. Names are in lower case.
struct FieldChanges {
  std::vector<std::string> remove;
  // Fields that take the place of all fields of their name.
  std::vector<std::pair<std::string, std::string>> set;
  // Fields that are added beside those of their name.
  std::vector<std::pair<std::string, std::string>> add;

  bool is_empty() const { return remove.empty() && set.empty() && add.empty(); }
  void apply(Headers& headers, Arena& arena) const;
};

// HeaderChange changes requests, responses or both.
class HeaderChange final : public Filter {
 public:
  HeaderChange(FieldChanges request, FieldChanges response)
      : request_(std::move(request)), response_(std::move(response)) {}

  Events events() const override { return {.request = !request_.is_empty(), .response = !response_.is_empty()}; }
  Verdict on_request(Passage& passage) const override;
  void on_response(Passage& passage, Head& head) const override;

 private:
  const FieldChanges request_;
  const FieldChanges response_;
};

}  // namespace hone::mesh

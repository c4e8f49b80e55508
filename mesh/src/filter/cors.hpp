// Which pages of other origins may read responses in a browser (the Fetch standard, section 3.3).
#pragma once

#include <string>
#include <vector>

#include "filter/filter.hpp"
#include "route/match.hpp"

namespace hone::mesh {

struct CorsRule {
  // Origins that may read; all of them where the list is empty.
  std::vector<TextMatch> origins;
  // Lists with commas for preflights, and of what a page may read.
  std::string methods;
  std::string headers;
  std::string expose;
  // Seconds that a browser may rely on a preflight; empty to leave that to it.
  std::string max_age_s;
  // True to let pages send cookies. Not for all origins.
  bool has_credentials = false;
};

// Cors answers preflights of origins that may read, and tells browsers so on every response to them. What the endpoint
// says of other origins passes as it is.
class Cors final : public Filter {
 public:
  explicit Cors(CorsRule rule) : rule_(std::move(rule)) {}

  Events events() const override { return {.request = true, .response = true}; }
  Verdict on_request(Passage& passage) const override;
  void on_response(Passage& passage, Head& head) const override;

 private:
  bool allows(std::string_view origin) const;

  const CorsRule rule_;
};

}  // namespace hone::mesh

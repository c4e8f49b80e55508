// Which pages of other origins may read responses in a browser (the Fetch standard, section 3.3).
#pragma once

#include <string>
#include <vector>

#include "filter/filter.hpp"
#include "route/match.hpp"

namespace hone::mesh {

struct CorsRule {
  // Origins that may read responses; all origins where the list is empty.
  std::vector<TextMatch> origins;
  // Lists with commas: methods and fields that preflights allow, and fields of responses that a page may read.
  std::string methods;
  std::string headers;
  std::string expose;
  // The seconds for which a browser may rely on a preflight; empty to leave the time to the browser.
  std::string max_age_s;
  // True to let pages send cookies; not to be used for all origins.
  bool has_credentials = false;
};

// Cors answers preflights of the origins that may read, and marks every response to them as readable. For other
// origins, the endpoint's own fields pass unchanged.
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

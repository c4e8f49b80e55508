// A name for each request, by which its lines in the logs of all services are found.
#pragma once

#include "filter/filter.hpp"

namespace hone::mesh {

struct RequestIdRule {
  // True to keep the id that a client has sent, if it is one; false for an edge, whose clients may write what they
  // like.
  bool keep = true;
  // True to tell the client too.
  bool respond = false;
};

// RequestId sees to X-Request-Id: 36 characters of a random UUID (RFC 9562, version 4) where none is kept.
class RequestId final : public Filter {
 public:
  explicit RequestId(const RequestIdRule& rule) : rule_(rule) {}

  Events events() const override { return {.request = true, .response = rule_.respond}; }
  Verdict on_request(Passage& passage) const override;
  void on_response(Passage& passage, Head& head) const override;

 private:
  const RequestIdRule rule_;
};

}  // namespace hone::mesh

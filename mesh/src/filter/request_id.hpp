// A name for each request, by which its lines in the logs of all services are found.
#pragma once

#include "filter/filter.hpp"

namespace hone::mesh {

struct RequestIdRule {
  // True to keep the id that a client has sent, if it is valid; false for an edge, whose clients may send anything.
  bool keep = true;
  // True to send the id to the client too.
  bool respond = false;
};

// RequestId sets X-Request-Id to the 36 characters of a random UUID (RFC 9562, version 4), unless an id is kept.
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

// What makes a request a part of a trace, over all services that it passes.
#pragma once

#include "filter/filter.hpp"

namespace hone::mesh {

struct TraceRule {
  // Share of a million of the traces that begin here and are written down.
  std::uint32_t share = 1'000'000;
  // True to go on with the trace that a client sends; false for an edge, where traces begin.
  bool keep = true;
};

// Trace puts a traceparent of an own span into the request, and writes the span down at the end of a trace that is
// sampled.
class Trace final : public Filter {
 public:
  explicit Trace(const TraceRule& rule) : rule_(rule) {}

  Events events() const override { return {.request = true, .done = true}; }
  Verdict on_request(Passage& passage) const override;
  void on_done(const Passage& passage, const LogRecord& record) const override;

 private:
  const TraceRule rule_;
};

}  // namespace hone::mesh

// Makes a request a part of a trace, over all services that it passes.
#pragma once

#include "filter/filter.hpp"

namespace hone::mesh {

struct TraceRule {
  // The share, in millionths, of the traces beginning here that are written down.
  std::uint32_t share = 1'000'000;
  // True to continue the trace that a client sends; false for an edge, where traces begin.
  bool keep = true;
};

// Trace puts the traceparent of a span of its own into the request, and writes the span down at the end if its trace is
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

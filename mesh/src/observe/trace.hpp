// Traces in the form of W3C's Trace Context, and their spans in the form that OpenTelemetry's collectors take.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "observe/access_log.hpp"
#include "observe/gathered.hpp"

namespace hone::mesh {

// TraceParent is the field traceparent in its parts, all of them digits in lower case.
struct TraceParent {
  std::string_view trace_id;
  std::string_view span_id;
  bool is_sampled = false;
};

// Returns the parts of a traceparent field (W3C Trace Context, level 1, section 3.2); nothing where it is not valid.
// Later versions may have more after these parts.
std::optional<TraceParent> parse_traceparent(std::string_view text);

// Span is the span of a request in its trace.
struct Span {
  TraceParent own;
  // The id of the span that the request comes from; empty where the trace begins here.
  std::string_view parent_id = {};
};

// Appends a span in OTLP's JSON, and a comma.
void append_span(std::string& text, const Span& span, const LogRecord& record,
                 std::chrono::system_clock::time_point began);

// Returns the request to a collector, with spans and their commas, of a service of this name.
std::string otlp_request(std::string_view service, std::string_view spans);

// SpanWriter gathers the spans of one worker.
class SpanWriter {
 public:
  SpanWriter(Loop& loop, Counter& lost, Delegate<void()> full) : gathered_(loop, lost, full) {}

  void write(const Span& span, const LogRecord& record) {
    append_span(gathered_.begin(), span, record, wall_clock_before(record.took));
    gathered_.end();
  }
  void flush() { gathered_.flush(); }
  TextRing& ring() { return gathered_.ring(); }

 private:
  Gathered gathered_;
};

}  // namespace hone::mesh

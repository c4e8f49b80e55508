#include "observe/trace.hpp"

#include <algorithm>

#include "base/escape.hpp"
#include "base/hex.hpp"
#include "base/text.hpp"

namespace hone::mesh {
namespace {

// "00-" trace "-" parent "-" flags
constexpr std::size_t kTraceAt = 3;
constexpr std::size_t kTraceDigits = 32;
constexpr std::size_t kSpanAt = kTraceAt + kTraceDigits + 1;
constexpr std::size_t kSpanDigits = 16;
constexpr std::size_t kFlagsAt = kSpanAt + kSpanDigits + 1;
constexpr std::size_t kLength = kFlagsAt + 2;

// Capital letters are not allowed, so that ids are compared as bytes.
bool are_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}
bool is_id(std::string_view text) {
  return are_digits(text) && text.find_first_not_of('0') != text.npos;
}

// Appends attributes of one list with commas between them.
class Attributes {
 public:
  explicit Attributes(std::string& text) : text_(text) {}

  void text(std::string_view key, std::string_view value) {
    if (value.empty()) return;
    begin(key, "stringValue");
    append_escaped(text_, value);
    text_.append("\"}}");
  }
  // OTLP's JSON has integers of 64 bits as text.
  void number(std::string_view key, std::uint64_t value) {
    begin(key, "intValue");
    text_.append(Digits(value)).append("\"}}");
  }

 private:
  void begin(std::string_view key, std::string_view kind) {
    if (!is_first_) text_.push_back(',');
    is_first_ = false;
    text_.append("{\"key\":\"").append(key).append("\",\"value\":{\"").append(kind).append("\":\"");
  }

  std::string& text_;
  bool is_first_ = true;
};

std::uint64_t nanoseconds(std::chrono::system_clock::time_point time) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<Duration>(time.time_since_epoch()).count());
}

}  // namespace

std::optional<TraceParent> parse_traceparent(std::string_view text) {
  if (text.size() < kLength || !are_digits(text.substr(0, 2))) return std::nullopt;
  const std::string_view version = text.substr(0, 2);
  if (version == "ff" || (version == "00" && text.size() != kLength)) return std::nullopt;
  if (text.size() > kLength && text[kLength] != '-') return std::nullopt;
  if (text[kTraceAt - 1] != '-' || text[kSpanAt - 1] != '-' || text[kFlagsAt - 1] != '-') return std::nullopt;
  const std::string_view flags = text.substr(kFlagsAt, 2);
  const TraceParent parent{text.substr(kTraceAt, kTraceDigits), text.substr(kSpanAt, kSpanDigits)};
  if (!is_id(parent.trace_id) || !is_id(parent.span_id) || !are_digits(flags)) return std::nullopt;
  return TraceParent{parent.trace_id, parent.span_id, (*hex_digit(flags[1]) & 1) != 0};
}

void append_span(std::string& text, const Span& span, const LogRecord& record,
                 std::chrono::system_clock::time_point began) {
  text.append("{\"traceId\":\"").append(span.own.trace_id);
  text.append("\",\"spanId\":\"").append(span.own.span_id);
  if (!span.parent_id.empty()) text.append("\",\"parentSpanId\":\"").append(span.parent_id);
  text.append("\",\"name\":\"");
  append_escaped(text, record.method);
  // Kind 2 is the span of a server.
  text.append("\",\"kind\":2,\"startTimeUnixNano\":\"").append(Digits(nanoseconds(began)));
  text.append("\",\"endTimeUnixNano\":\"").append(Digits(nanoseconds(began + record.took)));
  text.append("\",\"attributes\":[");
  Attributes attributes(text);
  attributes.text("http.request.method", record.method);
  attributes.text("url.path", record.path.substr(0, record.path.find('?')));
  attributes.text("server.address", record.authority);
  attributes.text("client.address", record.peer);
  attributes.text("user_agent.original", record.user_agent);
  attributes.text("network.protocol.name", record.protocol);
  attributes.number("http.response.status_code", static_cast<std::uint64_t>(record.status));
  attributes.text("hone.request_id", record.request_id);
  attributes.text("hone.cluster", record.cluster);
  attributes.text("hone.endpoint", record.endpoint);
  attributes.text("hone.detail", record.detail);
  attributes.number("hone.tries", record.tries);
  std::string flags;
  record.flags.append_to(flags);
  attributes.text("hone.flags", flags == "-" ? std::string_view() : flags);
  // 2 is an error, which a client's mistake is not.
  text.append(record.status >= 500 || record.status == 0 ? "],\"status\":{\"code\":2}}," : "],\"status\":{}},");
}

std::string otlp_request(std::string_view service, std::string_view spans) {
  std::string text = "{\"resourceSpans\":[{\"resource\":{\"attributes\":[";
  Attributes(text).text("service.name", service);
  text.append("]},\"scopeSpans\":[{\"scope\":{\"name\":\"hone-mesh\"},\"spans\":[");
  text.append(spans.substr(0, spans.find_last_not_of(',') + 1)).append("]}]}]}");
  return text;
}

}  // namespace hone::mesh

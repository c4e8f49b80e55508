#include "filter/trace.hpp"

#include "base/hex.hpp"

namespace hone::mesh {
namespace {

// Returns digits that are not all zero, as ids must be.
std::string_view random_id(Random& random, std::size_t digits, Arena& arena) {
  constexpr std::size_t kDigits = 16;
  char* const text = arena.array<char>(digits);
  for (std::size_t at = 0; at < digits; at += kDigits) write_hex(random.next() | 1, kDigits, text + at);
  return {text, digits};
}

}  // namespace

Verdict Trace::on_request(Passage& passage) const {
  Headers& headers = passage.request.headers;
  Random& random = passage.parts.random;
  const Header* const field = headers.find("traceparent");
  const auto parent = field != nullptr && rule_.keep ? parse_traceparent(field->value) : std::nullopt;
  Span& span = passage.span;
  if (parent) {
    span.parent_id = parent->span_id;
    span.own.trace_id = parent->trace_id;
    span.own.is_sampled = parent->is_sampled;
  } else {
    // The field belongs to a trace that is not continued.
    headers.remove("tracestate");
    span.own.trace_id = random_id(random, 32, passage.arena);
    span.own.is_sampled = random.below(1'000'000) < rule_.share;
  }
  span.own.span_id = random_id(random, 16, passage.arena);
  const std::string_view flags = span.own.is_sampled ? "-01" : "-00";
  const std::string_view text = passage.arena.join("00-", span.own.trace_id, "-", span.own.span_id, flags);
  headers.set(passage.arena, {"traceparent", text, HeaderId::kOther});
  return Verdict::kNext;
}

void Trace::on_done(const Passage& passage, const LogRecord& record) const {
  if (passage.spans != nullptr && passage.span.own.is_sampled) passage.spans->write(passage.span, record);
}

}  // namespace hone::mesh
